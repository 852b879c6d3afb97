package io.railflux.engine.base;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.buffer.MemorySource;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** Memory of sessions, allocated on another thread for one handshake at a time. */
class SessionMemoryTest {

  private final Queue<Runnable> aside = new ArrayDeque<>();
  private boolean exhausted;

  private final MemorySource source = new MemorySource() {
    @Override
    public boolean hasRoom(long bytes) {
      return false;
    }

    @Override
    public ByteBuffer allocate(int bytes) {
      if (exhausted) {
        throw new OutOfMemoryError("on purpose");
      }
      return ByteBuffer.allocate(bytes);
    }

    @Override
    public String usage() {
      return "on purpose";
    }
  };

  private final SessionMemory memory = new SessionMemory("node", new Host(), Runnable::run);
  private final List<String> answered = new ArrayList<>();

  private final class Host implements EngineHost {

    @Override
    public MemorySource memory() {
      return source;
    }

    @Override
    public void aside(Runnable task) {
      aside.add(task);
    }

    @Override
    public boolean inEngine() {
      return true;
    }

    @Override
    public void wakeUp() {}

    @Override
    public long randomLong() {
      return 0;
    }

    @Override
    public int pollIo() {
      return 0;
    }
  }

  private void take(String name) {
    memory.take(new int[] {64}, buffers -> {
      answered.add(name + (buffers == null ? " nothing" : " memory"));
      if (name.equals("rude")) {
        throw new IllegalStateException("on purpose");
      }
    });
  }

  private void allocateAll() {
    for (Runnable task = aside.poll(); task != null; task = aside.poll()) {
      task.run();
    }
  }

  @Test
  void servesClaimantsInTurnAlthoughTheFirstThrows() {
    take("rude");
    take("second");
    take("third");
    allocateAll();

    assertEquals(List.of("rude memory", "second memory", "third memory"), answered);
  }

  @Test
  void reportsExhaustionToAllAlthoughOneThrows() {
    exhausted = true;
    take("first");
    take("rude");
    take("third");
    allocateAll();

    assertEquals(List.of("first nothing", "rude nothing", "third nothing"), answered);
  }
}
