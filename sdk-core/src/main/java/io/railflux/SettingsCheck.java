package io.railflux;

import io.railflux.budget.Messages;
import io.railflux.crypto.Secret;
import io.railflux.engine.base.EngineConfig;
import io.railflux.policy.Recovery;
import io.railflux.policy.Retransmission;
import io.railflux.security.Encryption;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Validates settings: one sentence per invalid option, with name, range and value. */
final class SettingsCheck {

  private static final int MAX_NAME_BYTES = 255;
  private static final int SHOWN_CHARS = 40;
  private static final int UNKNOWN = 0;

  /** Engine timers are fractions of these times, which must not become zero. */
  private static final Duration SHORTEST = Duration.ofMillis(1);

  /** Sums of times on the clock of the engine must not overflow. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private final Settings settings;
  private final List<String> wrong = new ArrayList<>();

  private SettingsCheck(Settings settings) {
    this.settings = settings;
  }

  static List<String> problems(Settings settings) {
    SettingsCheck check = new SettingsCheck(settings);
    check.names();
    check.times();
    EngineConfig.Limits bounds = settings.limits();
    List<String> limits = bounds.problems();
    check.wrong.addAll(limits);
    if (limits.isEmpty()) {
      check.wrong.addAll(settings.large().problems(bounds));
    }
    check.messageBudget(limits.isEmpty() ? NodeConfig.maxEagerBytes(bounds) : UNKNOWN);
    check.connections();
    check.striping();
    check.security();
    return check.wrong;
  }

  private void names() {
    requireName("name", settings.name);
    if (settings.name.chars().anyMatch(Character::isISOControl)) {
      wrong.add("name must not have control characters");
    }
    if (settings.fabrics.isEmpty()) {
      wrong.add("fabrics must name at least one, named none");
    }
    for (String key : settings.contextKeys) {
      requireName("propagateContext", key);
    }
  }

  private void requireName(String option, String value) {
    int bytes = value.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > MAX_NAME_BYTES) {
      wrong.add(option + " must have 1 to " + MAX_NAME_BYTES + " bytes of UTF-8, was '"
          + shortened(value) + "' with " + bytes);
    } else if (!StandardCharsets.UTF_8.newEncoder().canEncode(value)) {
      wrong.add(option + " must be valid Unicode, has a surrogate without its partner");
    }
  }

  private void times() {
    boolean detect = requireTime("detectWithin", settings.detectWithin, SHORTEST, "1 ms");
    boolean partition =
        requireTime("partitionTimeout", settings.partitionTimeout, SHORTEST, "1 ms");
    requireTime("drainTimeout", settings.drainTimeout, SHORTEST, "1 ms");
    requireTime("requestTimeout", settings.requestTimeout, Duration.ZERO, "0");
    requireTime("maxSpin", settings.maxSpin, Duration.ZERO, "0");
    Recovery recovery = settings.recovery;
    boolean first = requireTime("recovery.minBackoff", recovery.minBackoff(), SHORTEST, "1 ms");
    if (requireTime("recovery.maxBackoff", recovery.maxBackoff(), SHORTEST, "1 ms")
        && first
        && recovery.maxBackoff().compareTo(recovery.minBackoff()) < 0) {
      wrong.add("recovery.maxBackoff must be at least minBackoff (" + recovery.minBackoff()
          + "), was " + recovery.maxBackoff());
    }
    Retransmission retransmission = settings.retransmission;
    if (retransmission.maxAttempts() < 1) {
      wrong.add(
          "retransmission.maxAttempts must be at least 1, was " + retransmission.maxAttempts());
    }
    Duration patience = settings.creditBackoff.patience();
    requireTime("creditBackoff.patience", patience, Duration.ZERO, "0");
    if (detect && partition && settings.partitionTimeout.compareTo(settings.detectWithin) < 0) {
      wrong.add("partitionTimeout must be at least detectWithin (" + settings.detectWithin
          + "), was " + settings.partitionTimeout);
    }
  }

  private boolean requireTime(String option, Duration value, Duration least, String minText) {
    boolean right = value.compareTo(least) >= 0 && value.compareTo(LONGEST) <= 0;
    if (!right) {
      wrong.add(option + " must be " + minText + " to " + LONGEST.toDays() + " days, was " + value);
    }
    return right;
  }

  /** @param message size of the largest message in a ring, or {@link #UNKNOWN} */
  private void messageBudget(int message) {
    long budget = settings.messageBudgetBytes;
    if (budget < Messages.MIN_BUDGET_BYTES || budget < message) {
      wrong.add("messageBudgetBytes must be at least " + Messages.MIN_BUDGET_BYTES
          + " and hold one message of the ring (" + message + "), was " + budget);
    }
  }

  private void connections() {
    int count = settings.connectionsPerRail.orElse(1);
    if (count < 1 || count > Settings.MAX_CONNECTIONS) {
      wrong.add("connectionsPerRail must be 1 to " + Settings.MAX_CONNECTIONS + ", was " + count);
    }
  }

  /** Creates one policy here; otherwise a failure would occur during a handshake. */
  private void striping() {
    try {
      if (settings.striping.get() == null) {
        wrong.add("striping must supply a policy, supplied null");
      }
    } catch (RuntimeException e) {
      wrong.add("striping must supply a policy, threw " + e);
    }
  }

  /** Reads the secret here; otherwise the first peer would reveal a failure. */
  private void security() {
    if (settings.secrets == null) {
      if (settings.encryption == Encryption.ALWAYS) {
        wrong.add("encryption ALWAYS needs a secret, there was none");
      }
      return;
    }
    try {
      if (settings.secrets.secrets().isEmpty()) {
        wrong.add("secret must supply at least one, supplied none");
      }
      settings.secrets.secrets().forEach(Secret::new);
    } catch (RuntimeException e) {
      wrong.add("secret must be available: " + (e.getMessage() == null ? e : e.getMessage()));
    }
  }

  /** A name has any length before its validation. */
  static String shortened(String text) {
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "…";
  }
}
