package io.railflux;

import io.railflux.message.Message;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JZ_Result;

/** The budget runs out while the last message is closed: the claimant gets its place or is asked. */
@JCStressTest
@Outcome(id = "1, false", expect = Expect.ACCEPTABLE, desc = "saw the close")
@Outcome(id = "1, true", expect = Expect.ACCEPTABLE, desc = "saw it, is asked needlessly")
@Outcome(id = "0, true", expect = Expect.ACCEPTABLE, desc = "did not see it, is asked")
@Outcome(id = "0, false", expect = Expect.FORBIDDEN, desc = "waits for ever")
@State
public class BudgetStress {

  private static final Railflux.Settings ONE_MESSAGE = Railflux.Settings.DEFAULT
      .withLimits(Railflux.Settings.DEFAULT.limits().withMaxMessageBytes(64))
      .withMessageBudgetBytes(64);

  private final Messages messages = new Messages(ONE_MESSAGE);
  private final Message last = messages.incoming("race").decode(frame());
  private final Asked engine = new Asked();

  public BudgetStress() {
    messages.wakeOnRelease(engine);
  }

  /** Only remembers that there is something to run. */
  private static final class Asked implements EngineAffinity {

    private boolean asked;

    @Override
    public boolean inEngine() {
      return false;
    }

    @Override
    public void execute(Runnable task) {
      asked = true;
    }
  }

  private static ReceivedFrame frame() {
    ByteBuffer memory = ByteBuffer.allocateDirect(FrameHeader.SLOT_BYTES);
    long word = FrameHeader.word(FrameHeader.BYTES, FrameType.DATA, 0, FrameHeader.BYTES);
    FrameHeader.put(memory, 0, 1, 1, 0);
    ReceivedFrame frame = new ReceivedFrame();
    if (frame.read(memory, 0, word, memory.capacity()) != null) {
      throw new AssertionError("the frame is well formed");
    }
    return frame;
  }

  @Actor
  public void claimant(JZ_Result result) {
    result.r1 = messages.reserve(1, 0);
  }

  @Actor
  public void owner(JZ_Result result) {
    last.close();
    result.r2 = engine.asked;
  }
}
