package io.railflux.fabric.shm;

import io.railflux.fabric.shm.memory.LinkLayout;
import io.railflux.fabric.shm.memory.ShmLane;
import io.railflux.fabric.shm.memory.WakeWord;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Arming against publishing and notifying: the work is seen, or the doorbell is rung. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "saw the work before sleeping")
@Outcome(
    id = "true, true",
    expect = Expect.ACCEPTABLE,
    desc = "saw it, and received a needless doorbell")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "slept, and received a doorbell")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "sleeps with pending work")
@State
public class DoorbellStress {

  private static final int WORK = LinkLayout.MAILBOX_OFFSET;

  private final ByteBuffer memory = SharedBytes.shortLink();
  private final WakeWord word = new ShmLane(memory, 0).sleeping();

  @Actor
  public void sleeper(ZZ_Result result) {
    word.set();
    VarHandle.fullFence();
    result.r1 = memory.getLong(WORK) != 0;
  }

  @Actor
  public void notifier(ZZ_Result result) {
    memory.putLong(WORK, 1);
    result.r2 = word.claim();
  }
}
