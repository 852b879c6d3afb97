package io.railflux.samples.cli.perf;

/** The far side of the bare rings. Both run on a thread of their own until the end word. */
final class RawPeer {

  private static final int BATCH = 256;
  private static final int REST_SPINS = 64;

  private RawPeer() {}

  static void start(Order order, RawFile.Pair rings) {
    Runnable work = order.task() == Order.Task.RAW_COUNT ? () -> count(rings) : () -> echo(rings);
    Thread thread = new Thread(work, "raw-" + order.round());
    thread.setDaemon(true);
    thread.start();
  }

  /** Rests when it finds nothing, so that it takes a batch instead of contending for each line. */
  private static void count(RawFile.Pair rings) {
    while (!rings.out().ended()) {
      if (rings.out().poll(BATCH) == 0) {
        rest();
      }
    }
  }

  private static void echo(RawFile.Pair rings) {
    while (!rings.out().ended()) {
      if (rings.out().poll(1) > 0) {
        while (!rings.back().offer(rings.out().last())) {
          Thread.onSpinWait();
        }
      }
    }
  }

  static void rest() {
    for (int i = 0; i < REST_SPINS; i++) {
      Thread.onSpinWait();
    }
  }
}
