package io.railflux.lab;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import java.util.EnumSet;
import java.util.Set;

/** What one engine holds of its fabrics, and whether it uses them as it may. */
final class Audit {

  /** How requests end through no fault of the engine's. */
  private static final Set<CompletionStatus> BLAMELESS = EnumSet.of(
      CompletionStatus.SUCCESS, CompletionStatus.FLUSHED, CompletionStatus.TRANSPORT_RETRY);

  private final Journal journal;
  private int endpoints;
  private int registrations;

  Audit(Journal journal) {
    this.journal = journal;
  }

  void endpoint(int change) {
    endpoints += change;
  }

  void registration(int change) {
    registrations += change;
  }

  /** Recovery mends what follows from a wrong access too, so it is looked for here. */
  void completed(Completion completion) {
    if (!BLAMELESS.contains(completion.status())) {
      journal.violation("an engine posted what is not allowed: " + completion);
    }
  }

  int endpoints() {
    return endpoints;
  }

  boolean isClean() {
    return endpoints == 0 && registrations == 0;
  }

  @Override
  public String toString() {
    return endpoints + " endpoints and " + registrations + " registrations";
  }
}
