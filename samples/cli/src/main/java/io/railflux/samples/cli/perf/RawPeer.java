package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.RawFile;
import io.railflux.samples.cli.measure.RingRounds;

/** The far side of the bare rings, on its own thread until the end word. */
final class RawPeer {

  private RawPeer() {}

  static void start(Order order, RawFile.Pair rings) {
    boolean counts = order.task() == Order.Task.RAW_COUNT;
    Runnable work = counts ? () -> RingRounds.count(rings) : () -> RingRounds.echo(rings);
    Thread thread = new Thread(work, "raw-" + order.round());
    thread.setDaemon(true);
    thread.start();
  }
}
