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

/** A producer that finds no room is rung when there is some: it never waits in vain. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "saw the room, was not rung")
@Outcome(id = "true, true", expect = Expect.ACCEPTABLE, desc = "saw the room, was rung needlessly")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "saw no room, was rung")
@Outcome(id = "false, false", expect = Expect.FORBIDDEN, desc = "waits for ever")
@State
public class StarvedMailboxStress {

  /** Direct memory is not counted when jcstress decides how many of these it keeps; this is. */
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
