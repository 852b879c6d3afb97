package io.railflux.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Records attempts to connect; the test decides about their outcome. A session is a text. */
final class FakePlaces {

  /** One attempt. */
  static final class Attempt {
    final String address;
    final Consumer<String> established;
    final Consumer<Throwable> failed;
    boolean givenUp;

    private Attempt(String address, Consumer<String> established, Consumer<Throwable> failed) {
      this.address = address;
      this.established = established;
      this.failed = failed;
    }
  }

  final List<Attempt> attempts = new ArrayList<>();

  SessionPool.Connector<String> connector(String address) {
    return (established, failed) -> {
      Attempt attempt = new Attempt(address, established, failed);
      attempts.add(attempt);
      return () -> attempt.givenUp = true;
    };
  }

  Attempt last() {
    return attempts.get(attempts.size() - 1);
  }

  /** The last attempt at the address. */
  Attempt at(String address) {
    return attempts.stream()
        .filter(attempt -> attempt.address.equals(address))
        .reduce((earlier, later) -> later)
        .orElseThrow();
  }

  int attemptsAt(String address) {
    return (int)
        attempts.stream().filter(attempt -> attempt.address.equals(address)).count();
  }
}
