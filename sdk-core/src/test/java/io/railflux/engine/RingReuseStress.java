package io.railflux.engine;

import io.railflux.engine.ring.IncomingRing;
import io.railflux.engine.ring.MappedRingWriter;
import io.railflux.engine.ring.OutgoingRing;
import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A place is reused only after it was read and cleared. No frame is torn, lost or found twice. */
@JCStressTest
@Outcome(id = "1, 2, 0", expect = Expect.ACCEPTABLE, desc = "the place is not yet reused")
@Outcome(id = "1, 2, 3", expect = Expect.ACCEPTABLE, desc = "the third frame in place of the first")
@State
public class RingReuseStress {

  private static final int SIZE = 2 * FrameHeader.SLOT_BYTES;

  private final ByteBuffer words = RingMemory.of(ControlWords.BYTES);
  private final OutgoingRing outgoing = new OutgoingRing(SIZE);
  private final MappedRingWriter writer;
  private final MappedRingWriter back;
  private final IncomingRing incoming;

  public RingReuseStress() {
    ByteBuffer memory = RingMemory.of(SIZE);
    writer = new MappedRingWriter(outgoing, memory, words);
    back = new MappedRingWriter(new OutgoingRing(SIZE), memory, words);
    incoming = new IncomingRing(memory, SIZE, false);
    NumberedFrames.publish(writer, 1);
    NumberedFrames.publish(writer, 2);
  }

  @Actor
  public void produce() {
    outgoing.credit(ControlWords.load(words, ControlWords.CREDIT_OFFSET));
    if (writer.isReady(FrameHeader.SLOT_BYTES, 0)) {
      NumberedFrames.publish(writer, 3);
    }
  }

  @Actor
  public void consume(JJJ_Result result) {
    result.r1 = NumberedFrames.next(incoming);
    back.report(incoming.consumed(), 0);
    result.r2 = NumberedFrames.next(incoming);
    result.r3 = NumberedFrames.next(incoming);
  }
}
