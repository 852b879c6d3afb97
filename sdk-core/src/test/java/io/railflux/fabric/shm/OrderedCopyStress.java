package io.railflux.fabric.shm;

import io.railflux.fabric.shm.memory.OrderedCopy;
import io.railflux.fabric.shm.memory.Words;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/** Bytes of one write become visible in address order: scanned from the end, there is no gap. */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = Expect.ACCEPTABLE, desc = "nothing yet")
@Outcome(
    id = {"0, 0, 1", "0, 1, 1"},
    expect = Expect.ACCEPTABLE,
    desc = "the beginning")
@Outcome(id = "1, 1, 1", expect = Expect.ACCEPTABLE, desc = "everything")
@State
public class OrderedCopyStress {

  private static final int LENGTH = 192;

  private final ByteBuffer from = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer to = SharedBytes.lines(LENGTH);

  public OrderedCopyStress() {
    from.putLong(56, 1).putLong(120, 1).putLong(LENGTH - 8, 1);
  }

  @Actor
  public void write() {
    OrderedCopy.copy(from, 0, to, 0, LENGTH);
  }

  @Actor
  public void pollFromTheEnd(JJJ_Result result) {
    result.r1 = (long) Words.LONGS.getAcquire(to, LENGTH - 8);
    result.r2 = (long) Words.LONGS.getAcquire(to, 120);
    result.r3 = (long) Words.LONGS.getAcquire(to, 56);
  }
}
