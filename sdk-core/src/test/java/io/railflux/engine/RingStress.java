package io.railflux.engine;

import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.ring.MappedRingWriter;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.wire.ControlWords;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** A reader that finds a frame finds all of it, and never the second frame before the first. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not yet visible")
@Outcome(id = "41, 0", expect = Expect.ACCEPTABLE, desc = "the first frame, complete")
@Outcome(id = "41, 42", expect = Expect.ACCEPTABLE, desc = "both frames, complete and in order")
@State
public class RingStress {

  private static final int SIZE = 256;

  private final MappedRingWriter writer;
  private final IncomingRing incoming;

  public RingStress() {
    var memory = RingMemory.of(SIZE);
    var words = RingMemory.of(ControlWords.BYTES);
    writer = new MappedRingWriter(new OutgoingRing(SIZE), memory, words);
    incoming = new IncomingRing(memory, SIZE, false);
  }

  @Actor
  public void produce() {
    NumberedFrames.publish(writer, 41);
    NumberedFrames.publish(writer, 42);
  }

  @Actor
  public void consume(JJ_Result result) {
    result.r1 = NumberedFrames.next(incoming);
    result.r2 = result.r1 == 0 ? 0 : NumberedFrames.next(incoming);
  }
}
