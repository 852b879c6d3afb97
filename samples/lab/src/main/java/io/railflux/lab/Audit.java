package io.railflux.lab;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import java.util.EnumSet;
import java.util.Set;

/** Counts the resources that one engine holds of its fabrics and checks how the engine uses them. */
final class Audit {

  /** Completion statuses that no fault of the engine causes. */
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

  /** Checks the status here, because recovery also repairs the consequences of a wrong access. */
  void completed(Completion completion) {
    if (!BLAMELESS.contains(completion.status())) {
      journal.violation("an engine posted a request that is not allowed: " + completion);
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
