package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.Fabric.Listening;
import io.railflux.fabric.RealContext;
import io.railflux.fabric.RecordingListener;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Polling the selector takes a system call. Around a sleep, which polls the selector itself, no other poll occurs. */
class AroundASleepTest {

  private static final int LIMIT = 64;

  private boolean slept;
  private int asked;

  private final RealContext context = new RealContext() {
    @Override
    public boolean justSlept() {
      return slept;
    }

    @Override
    public int pollIo() {
      asked++;
      return super.pollIo();
    }
  };
  private final TcpFabric fabric = new TcpFabric(new TcpCore(context, null));

  private int askedByAPoll() {
    int before = asked;
    fabric.poll(LIMIT);
    return asked - before;
  }

  @Test
  void pollsTheSelectorExceptAroundASleep() throws IOException {
    try (Listening listening = fabric.listen("127.0.0.1:0", new RecordingListener())) {
      assertEquals(1, askedByAPoll(), listening::toString);
      fabric.arm();
      assertEquals(0, askedByAPoll(), "in the poll before the sleep");
      fabric.disarm();
      slept = true;
      assertEquals(0, askedByAPoll(), "immediately after the sleep");
      slept = false;
      assertEquals(1, askedByAPoll(), "later");
    } finally {
      fabric.close();
      context.close();
    }
  }
}
