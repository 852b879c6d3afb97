package io.railflux.samples.cli.perf;

import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.PayloadCodec;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import java.nio.ByteBuffer;
import java.time.Duration;

/** One stream at full rate. The measured time ends when the last message is acknowledged. */
final class OneWay implements Measurement {

  private final Session session;
  private final PayloadCodec codec;
  private final ByteBuffer fill;

  OneWay(Session session) {
    this.session = session;
    this.codec = new PayloadCodec(session.plan().sizeBytes());
    this.fill = Payload.fill(session.plan().sizeBytes());
  }

  @Override
  public Sample run(int round, long nanos) {
    session.order(Order.Task.COUNT, round, 0);
    long begun = System.nanoTime();
    Production production = new Production(fill, session.plan().sizeBytes(), begun + nanos);
    session.await(
        session.peer().send("perf.out." + round, codec, production.messages()),
        Session.PATIENCE.plus(Duration.ofNanos(nanos)));
    long took = System.nanoTime() - begun;
    check(production.count());
    return new Sample(production.count(), took, Sample.histogram());
  }

  private void check(long sent) {
    Figures far = session.far();
    if (far.received() != sent || far.misplaced() != 0 || far.damaged() != 0) {
      throw new CommandFailure("of " + sent + " messages sent " + far.received()
          + " were received, " + far.misplaced() + " out of place, " + far.damaged() + " damaged");
    }
  }
}
