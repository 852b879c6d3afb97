package io.railflux.fabric.shm;

import io.railflux.fabric.Access;
import io.railflux.fabric.Completion;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.shm.memory.Words;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * Another process. It listens, exposes a region to each peer, sends the region's key, and echoes messages. It answers a
 * change of the region's first word with a change of the second. It sleeps whenever possible.
 */
final class ShmChild extends Ears {

  static final int REGION_BYTES = 64 * 1024;
  static final int PING_OFFSET = 0;
  static final int PONG_OFFSET = 64;
  private static final int SLOT_BYTES = 1024;

  private final Fabric fabric;
  private final Loop loop;
  private final LocalMemory memory;
  private final WorkRequest request = new WorkRequest();
  private final Map<Endpoint, ExposedRegion> regions = new HashMap<>();
  private boolean ended;

  private ShmChild(Path base) {
    loop = new Loop();
    fabric = new ShmFabricProvider(base).open(loop);
    memory = fabric.register(ByteBuffer.allocateDirect(SLOT_BYTES).order(ByteOrder.LITTLE_ENDIAN));
  }

  /**
   * Arguments: base directory and location. With a third argument, the process connects to the location once, prints
   * the result and ends.
   */
  public static void main(String[] arguments) throws IOException {
    ShmChild child = new ShmChild(Path.of(arguments[0]));
    if (arguments.length > 2) {
      child.connectOnce(arguments[1]);
      return;
    }
    child.fabric.listen(arguments[1], child);
    System.out.println("listening");
    while (!child.ended) {
      child.turn();
    }
    child.fabric.close();
  }

  @Override
  public void onConnected(Endpoint endpoint, long attempt) {
    ExposedRegion region = endpoint.expose(REGION_BYTES, Access.REMOTE_ALL);
    regions.put(endpoint, region);
    memory.memory().putLong(0, region.key());
    endpoint.post(request.send(memory, 0, Long.BYTES));
    endpoint.postReceive(0, memory, 0, SLOT_BYTES);
  }

  @Override
  public void onCompletion(Endpoint endpoint, Completion completion) {
    if (completion.succeeded() && completion.lengthBytes() > 0) {
      ended = completion.lengthBytes() == 1 && memory.memory().get(0) == 'q';
      endpoint.post(request.send(memory, 0, completion.lengthBytes()));
      endpoint.postReceive(0, memory, 0, SLOT_BYTES);
    }
  }

  /** Open until the process ends: a test that fenced the endpoint expects the death of the process, not a close. */
  @Override
  public void onDrained(Endpoint endpoint) {
    regions.remove(endpoint);
  }

  private void turn() {
    fabric.arm();
    if (!pong() && fabric.poll(16) == 0) {
      loop.sleep(1000);
    }
    fabric.disarm();
    fabric.poll(16);
  }

  private boolean pong() {
    boolean answered = false;
    for (Map.Entry<Endpoint, ExposedRegion> entry : regions.entrySet()) {
      ByteBuffer words = entry.getValue().memory();
      long ping = (long) Words.LONGS.getAcquire(words, PING_OFFSET);
      if (ping != (long) Words.LONGS.get(words, PONG_OFFSET)) {
        Words.LONGS.setRelease(words, PONG_OFFSET, ping);
        entry.getKey().notifyPeer();
        answered = true;
      }
    }
    return answered;
  }

  private void connectOnce(String location) {
    Ears ears = new Ears();
    fabric.connect(location, 1, ears);
    while (ears.connected.isEmpty() && ears.refused.isEmpty()) {
      fabric.poll(16);
    }
    System.out.println(ears.refused.isEmpty() ? "connected" : ears.refused.get(0));
    fabric.close();
  }
}
