package io.railflux.engine;

import io.railflux.wire.ControlWords;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Whoever finds a frame finds all of it, and never the second before the first. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not there yet")
@Outcome(id = "41, 0", expect = Expect.ACCEPTABLE, desc = "the first, whole")
@Outcome(id = "41, 42", expect = Expect.ACCEPTABLE, desc = "both, whole and in order")
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
    publish(41);
    publish(42);
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
  public void consume(JJ_Result result) {
    result.r1 = next();
    result.r2 = result.r1 == 0 ? 0 : next();
  }
}
