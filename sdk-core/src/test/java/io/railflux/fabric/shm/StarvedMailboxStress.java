package io.railflux.fabric.shm;

import io.railflux.fabric.shm.memory.LinkLayout;
import io.railflux.fabric.shm.memory.MailboxLayout;
import io.railflux.fabric.shm.memory.MailboxReader;
import io.railflux.fabric.shm.memory.MailboxWriter;
import io.railflux.fabric.shm.memory.ShmLane;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** A producer without space receives a doorbell when space becomes free: it never waits forever. */
@JCStressTest
@Outcome(
    id = "true, false",
    expect = Expect.ACCEPTABLE,
    desc = "saw the space, and received no doorbell")
@Outcome(
    id = "true, true",
    expect = Expect.ACCEPTABLE,
    desc = "saw the space, and received a needless doorbell")
@Outcome(
    id = "false, true",
    expect = Expect.ACCEPTABLE,
    desc = "saw no space, and received a doorbell")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "waits forever")
@State
public class StarvedMailboxStress {

  /** jcstress limits its instances by heap size and ignores direct memory. This array represents the direct memory. */
  final byte[] ballast = new byte[LinkLayout.MAILBOX_BYTES];

  private final MailboxWriter writer;
  private final MailboxReader reader;

  public StarvedMailboxStress() {
    ShmLane lane = new ShmLane(SharedBytes.laneZero(), 0);
    writer = new MailboxWriter(lane);
    reader = new MailboxReader(lane);
    while (writer.room(0) == MailboxWriter.Room.ENOUGH) {
      writer.put(MailboxLayout.IMMEDIATE, 0, 0, null, 0);
    }
    lane.starved().clear();
  }

  @Actor
  public void produce(ZZ_Result result) {
    result.r1 = writer.room(0) == MailboxWriter.Room.ENOUGH;
  }

  @Actor
  public void consume(ZZ_Result result) {
    if (reader.peek() == MailboxReader.Found.ENTRY) {
      reader.consume();
    }
    result.r2 = reader.claimStarved();
  }
}
