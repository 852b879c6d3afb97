package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Both kinds of loop continue when a callback throws an error. */
class IoLoopTest {

  private final List<String> ran = new ArrayList<>();

  static Stream<IoLoop> loops() {
    return Stream.of(new SelectorLoop(System::nanoTime), new NettyLoop(NioIoHandler.newFactory()));
  }

  private Runnable failing(String name) {
    return () -> {
      ran.add(name);
      throw new OutOfMemoryError("thrown by the test");
    };
  }

  @ParameterizedTest
  @MethodSource("loops")
  void runsTheNextTimerWhenOneThrowsAnError(IoLoop loop) {
    try (loop) {
      loop.begin();
      loop.schedule(failing("first"), 0);
      loop.schedule(() -> ran.add("second"), 1);
      while (ran.size() < 2) {
        loop.sleep(1_000_000);
      }
      assertEquals(List.of("first", "second"), ran);
    }
  }

  @ParameterizedTest
  @MethodSource("loops")
  void continuesWhenTheEventOfASocketThrowsAnError(IoLoop loop) throws IOException {
    Pipe pipe = Pipe.open();
    try (loop;
        Pipe.SourceChannel source = pipe.source();
        Pipe.SinkChannel sink = pipe.sink()) {
      loop.begin();
      source.configureBlocking(false);
      SocketRegistration registration = new SocketRegistration(loop, source);
      sink.write(ByteBuffer.wrap(new byte[1]));
      while (registration.events < 2) {
        loop.sleep(1_000_000);
      }
      assertEquals(List.of("event", "event"), ran.subList(0, 2));
    }
  }

  /** A channel that is never read and stays ready. */
  private final class SocketRegistration {
    private int events;

    SocketRegistration(IoLoop loop, Pipe.SourceChannel source) throws IOException {
      loop.register(source, SelectionKey.OP_READ, () -> {
        events++;
        failing("event").run();
      });
    }
  }
}
