package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBufUtil;
import io.railflux.fabric.Callback;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RecordingListener;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.tcp.frames.TcpFrame;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A peer that acknowledges bytes before they were sent must not receive later content of the memory. */
class EarlyAcknowledgementTest {

  private static final byte SECRET = 0x5E;

  /** More than both kernels buffer. */
  private static final int LARGE_BYTES = 64 << 20;

  private final ByteBuffer source = ByteBuffer.allocateDirect(LARGE_BYTES);
  private BarePeer bare;
  private Socket peer;
  private RecordingListener callbacks;
  private TcpEndpoint endpoint;

  @BeforeEach
  void connect() throws IOException {
    bare = new BarePeer();
    peer = bare.socket();
    callbacks = bare.callbacks;
    endpoint = bare.endpoint;
  }

  @AfterEach
  void close() throws IOException {
    bare.close();
  }

  private void write(int lengthBytes) {
    LocalMemory local = bare.fabric.register(source);
    WorkRequest request = new WorkRequest();
    PostResult posted = endpoint.post(
        request.write(local, 0, lengthBytes, endpoint.attach(7, LARGE_BYTES), 0).withId(1));
    assertEquals(PostResult.POSTED, posted);
    endpoint.notifyPeer();
  }

  private void acknowledge() throws IOException {
    peer.getOutputStream()
        .write(ByteBufUtil.getBytes(HostileEndpoint.frame(TcpFrame.ACK, 0, 1, 0, 0, 0)));
  }

  @Test
  void earlyAcknowledgementEndsTheConnection() throws IOException {
    write(LARGE_BYTES);
    acknowledge();
    bare.until(() -> !callbacks.requests().isEmpty());

    List<Callback> requests = callbacks.requests();
    assertNotEquals(CompletionStatus.SUCCESS, requests.get(0).status());
    assertTrue(endpoint.failure().contains("before all of it was sent"), endpoint.failure());
    for (int i = 0; i < LARGE_BYTES; i++) {
      source.put(i, SECRET);
    }
    bare.until(() -> callbacks.drained(endpoint));
    assertEquals(0, secretsRead());
  }

  private int secretsRead() {
    byte[] piece = new byte[64 << 10];
    int secrets = 0;
    try (InputStream input = peer.getInputStream()) {
      for (int read = input.read(piece); read > 0; read = input.read(piece)) {
        for (int i = 0; i < read; i++) {
          secrets += piece[i] == SECRET ? 1 : 0;
        }
      }
    } catch (IOException e) {
      // The connection was reset. Unsent bytes never arrive.
      return secrets;
    }
    return secrets;
  }

  @Test
  void acknowledgementAfterAllBytesIsValid() throws IOException {
    write(LARGE_BYTES);
    Thread reader = new Thread(() -> {
      try {
        peer.getInputStream().readNBytes(BarePeer.PREAMBLE.length + TcpFrame.BYTES + LARGE_BYTES);
        acknowledge();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    });
    reader.start();
    bare.until(() -> !callbacks.requests().isEmpty());

    assertEquals(CompletionStatus.SUCCESS, callbacks.requests().get(0).status());
    assertEquals(EndpointState.READY, endpoint.state());
  }
}
