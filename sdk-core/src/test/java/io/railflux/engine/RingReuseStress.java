package io.railflux.engine;

import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** A place is written anew only when it was read and cleared: no frame is torn, lost or found again. */
@JCStressTest
@Outcome(id = "1, 2, 0", expect = Expect.ACCEPTABLE, desc = "the place is not used again yet")
@Outcome(id = "1, 2, 3", expect = Expect.ACCEPTABLE, desc = "the third frame where the first was")
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
    publish(1);
    publish(2);
  }

  private void publish(long content) {
    int offset = writer.place(FrameHeader.SLOT_BYTES);
    FrameHeader.put(writer.mapped(), offset, content, 1, 0);
    writer.mapped().putLong(offset + FrameHeader.BYTES, content);
    int length = FrameHeader.BYTES + Long.BYTES;
    long word = FrameHeader.word(length, FrameType.DATA, 0, FrameHeader.BYTES);
    writer.publish(writer.mapped(), offset, word);
  }

  @Actor
  public void produce() {
    outgoing.credit(ControlWords.load(words, ControlWords.CREDIT_OFFSET));
    if (writer.isReady(FrameHeader.SLOT_BYTES, 0)) {
      publish(3);
    }
  }

  private long next() {
    long[] content = new long[1];
    incoming.poll(
        frame -> {
          long body = frame.buffer().getLong(frame.bodyOffset());
          content[0] = body == frame.psn() ? body : -1;
          return true;
        },
        1);
    return content[0];
  }

  @Actor
  public void consume(JJJ_Result result) {
    result.r1 = next();
    back.tell(incoming.consumed(), 0);
    result.r2 = next();
    result.r3 = next();
  }
}
