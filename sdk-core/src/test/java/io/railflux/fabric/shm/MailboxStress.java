package io.railflux.fabric.shm;

import io.railflux.fabric.shm.memory.MailboxLayout;
import io.railflux.fabric.shm.memory.MailboxReader;
import io.railflux.fabric.shm.memory.MailboxWriter;
import io.railflux.fabric.shm.memory.ShmLane;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJ_Result;

/** A reader that finds an entry finds its complete header and payload. */
@JCStressTest
@Outcome(id = "0, 0", expect = Expect.ACCEPTABLE, desc = "not yet visible")
@Outcome(id = "24, 42", expect = Expect.ACCEPTABLE, desc = "visible and complete")
@State
public class MailboxStress {

  private final ByteBuffer payload = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer target = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
  private final MailboxWriter writer;
  private final MailboxReader reader;

  public MailboxStress() {
    ShmLane lane = new ShmLane(SharedBytes.shortLink(), 0);
    writer = new MailboxWriter(lane);
    reader = new MailboxReader(lane);
    payload.putLong(16, 42);
  }

  @Actor
  public void produce() {
    if (writer.room(24) == MailboxWriter.Room.ENOUGH) {
      writer.put(MailboxLayout.SEND, 0, 24, payload, 0);
    }
  }

  @Actor
  public void consume(IJ_Result result) {
    if (reader.peek() == MailboxReader.Found.ENTRY) {
      result.r1 = reader.length();
      reader.copyPayload(target, 0);
      result.r2 = target.getLong(16);
      reader.consume();
    }
  }
}
