package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.ByteBufUtil;
import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.tcp.frames.TcpFrame;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Requests posted before further ones are sent together with them, and are never held back indefinitely. */
class HeldWritesTest {

  private static final int LENGTH_BYTES = 1_000;

  private BarePeer bare;
  private Socket peer;
  private TcpFabric fabric;
  private TcpEndpoint endpoint;
  private LocalMemory source;

  @BeforeEach
  void connect() throws IOException {
    bare = new BarePeer();
    peer = bare.socket();
    fabric = bare.fabric;
    endpoint = bare.endpoint;
    source = fabric.register(ByteBuffer.allocateDirect(1 << 20));
    peer.getInputStream().readNBytes(BarePeer.PREAMBLE.length);
  }

  @AfterEach
  void close() throws IOException {
    bare.close();
  }

  private void post(int lengthBytes) {
    WorkRequest request = new WorkRequest();
    PostResult posted = endpoint.post(
        request.write(source, 0, lengthBytes, endpoint.attach(7, 1 << 20), 0).withId(1));
    assertEquals(PostResult.POSTED, posted);
  }

  private void arrives(int lengthBytes) throws IOException {
    int bytes = TcpFrame.BYTES + lengthBytes;
    assertEquals(bytes, peer.getInputStream().readNBytes(bytes).length);
  }

  /** Bytes written to a socket of this host are readable when the call returns. */
  private void nothingArrives() throws IOException {
    assertEquals(0, peer.getInputStream().available());
  }

  @Test
  void requestsWaitWhileFurtherOnesFollow() throws IOException {
    for (int i = 0; i < 3; i++) {
      post(LENGTH_BYTES);
      endpoint.moreFollows();
      fabric.poll(64);
      nothingArrives();
    }
    fabric.poll(64);
    for (int i = 0; i < 3; i++) {
      arrives(LENGTH_BYTES);
    }
  }

  @Test
  void largeWritesDoNotWait() throws IOException {
    post(TcpEndpoint.HELD_BYTES);
    endpoint.moreFollows();
    fabric.poll(64);
    arrives(TcpEndpoint.HELD_BYTES);
  }

  @Test
  void severalWritesCountTogether() throws IOException {
    int part = TcpEndpoint.HELD_BYTES / 4;
    for (int i = 0; i < 3; i++) {
      post(part);
      endpoint.moreFollows();
      fabric.poll(64);
      nothingArrives();
    }
    post(part);
    endpoint.moreFollows();
    fabric.poll(64);
    for (int i = 0; i < 4; i++) {
      arrives(part);
    }
  }

  @Test
  void requestsWaitForFewPollsOnly() throws IOException {
    for (int i = 0; i < TcpEndpoint.MAX_HELD_POLLS; i++) {
      post(LENGTH_BYTES);
      endpoint.moreFollows();
      fabric.poll(64);
    }
    for (int i = 0; i < TcpEndpoint.MAX_HELD_POLLS; i++) {
      arrives(LENGTH_BYTES);
    }
  }

  @Test
  void readRepliesDoNotWait() throws IOException {
    ExposedRegion exposed = endpoint.expose(LENGTH_BYTES, Access.REMOTE_READ);
    byte[] read = ByteBufUtil.getBytes(
        HostileEndpoint.frame(TcpFrame.READ, LENGTH_BYTES, 0, exposed.key(), 0, 0));
    peer.getOutputStream().write(read);
    bare.until(() -> {
      endpoint.moreFollows();
      return available() > 0;
    });
    arrives(LENGTH_BYTES);
  }

  private int available() {
    try {
      return peer.getInputStream().available();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void notificationSendsWaitingRequests() throws IOException {
    post(LENGTH_BYTES);
    endpoint.moreFollows();
    endpoint.notifyPeer();
    arrives(LENGTH_BYTES);
  }

  @Test
  void sleepSendsWaitingRequests() throws IOException {
    post(LENGTH_BYTES);
    endpoint.moreFollows();
    fabric.arm();
    arrives(LENGTH_BYTES);
  }

  @Test
  void closeSendsWaitingRequests() throws IOException {
    post(LENGTH_BYTES);
    endpoint.moreFollows();
    fabric.poll(64);
    post(LENGTH_BYTES);
    endpoint.moreFollows();
    endpoint.close();
    arrives(LENGTH_BYTES);
    arrives(LENGTH_BYTES);
  }
}
