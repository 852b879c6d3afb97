package io.railflux.fabric.shm;

import io.railflux.buffer.MappedMemory;
import io.railflux.fabric.Access;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.shm.memory.RegionLayout;
import io.railflux.fabric.shm.memory.ShmExposedRegion;
import io.railflux.fabric.shm.memory.UserMemory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/** Writes of one endpoint land in posting order, and its reads observe that order. */
@JCStressTest
@Outcome(
    id = {"0, 0", "0, 1", "1, 1"},
    expect = Expect.ACCEPTABLE,
    desc = "the later write is never visible without the earlier one")
@State
public class OneSidedOrderStress {

  private static final int LINE_BYTES = 64;

  // One mapping for all instances, because a race keeps thousands of them.
  private static final int REGION_BYTES = 1 << 23;
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final ShmRegions REGIONS = new ShmRegions(null, null, null, null);
  private static final ShmRemoteRegion REGION = region();

  private final int at = NEXT.getAndAdd(2 * LINE_BYTES) & REGION_BYTES - 1;
  private final Transfers transfers = new Transfers(REGIONS, null);
  private final ByteBuffer read = ByteBuffer.allocate(2 * Long.BYTES);
  private final WorkRequest writeEarlier = write(0);
  private final WorkRequest writeLater = write(LINE_BYTES);
  private final WorkRequest readLater = read(0, LINE_BYTES);
  private final WorkRequest readEarlier = read(Long.BYTES, 0);

  public OneSidedOrderStress() {
    REGION.view().putLong(at, 0).putLong(at + LINE_BYTES, 0);
  }

  private static ShmRemoteRegion region() {
    try {
      Path directory = Files.createTempDirectory("race");
      MappedMemory file =
          MappedMemory.create(directory.resolve("region"), RegionLayout.fileBytes(REGION_BYTES));
      file.unlink();
      Files.delete(directory);
      new ShmExposedRegion(file, 1, REGION_BYTES, Access.REMOTE_ALL);
      return new ShmRemoteRegion(REGIONS, file, 1, REGION_BYTES);
    } catch (IOException | RemoteAccessException e) {
      throw new AssertionError(e);
    }
  }

  private WorkRequest write(int offset) {
    ByteBuffer one = ByteBuffer.allocate(Long.BYTES).put(0, (byte) 1);
    return new WorkRequest().write(new UserMemory(one), 0, Long.BYTES, REGION, at + offset);
  }

  private WorkRequest read(int into, int offset) {
    return new WorkRequest().read(new UserMemory(read), into, Long.BYTES, REGION, at + offset);
  }

  @Actor
  public void writer() {
    transfers.run(writeEarlier);
    transfers.run(writeLater);
  }

  @Actor
  public void reader(JJ_Result result) {
    transfers.run(readLater);
    transfers.run(readEarlier);
    result.r1 = read.get(0);
    result.r2 = read.get(Long.BYTES);
  }
}
