package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBufUtil;
import io.railflux.fabric.Access;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.Heard.Kind;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RealContext;
import io.railflux.fabric.RecordingListener;
import io.railflux.fabric.WorkRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is posted before more follows leaves with that, and never stays behind. */
class HeldWritesTest {

  private static final byte[] PREAMBLE = {'R', 'F', 'T', 'C', 1, 0, 1, 0};
  private static final int SOON_MILLIS = 20_000;
  private static final int LENGTH_BYTES = 1_000;

  private final RealContext context = new RealContext();
  private final TcpFabric fabric = new TcpFabric(new TcpCore(context, null));
  private final RecordingListener heard = new RecordingListener();
  private final LocalMemory source = fabric.register(ByteBuffer.allocateDirect(1 << 20));
  private ServerSocket server;
  private Socket peer;
  private TcpEndpoint endpoint;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    fabric.connect("127.0.0.1:" + server.getLocalPort(), 1, heard);
    server.setSoTimeout(1);
    until(this::accepted);
    peer.getOutputStream().write(PREAMBLE);
    until(() -> !heard.of(Kind.CONNECTED).isEmpty());
    endpoint = (TcpEndpoint) heard.of(Kind.CONNECTED).get(0).endpoint();
    peer.setSoTimeout(SOON_MILLIS);
    peer.getInputStream().readNBytes(PREAMBLE.length);
  }

  private boolean accepted() {
    try {
      peer = server.accept();
      return true;
    } catch (SocketTimeoutException e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void until(BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOON_MILLIS);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, () -> "heard " + heard.all());
      context.pollIo();
      fabric.poll(64);
      LockSupport.parkNanos(100_000);
    }
  }

  @AfterEach
  void close() throws IOException {
    peer.close();
    server.close();
    fabric.close();
    context.close();
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

  /** What is written to a socket of this host is there when the call returns. */
  private void nothingArrives() throws IOException {
    assertEquals(0, peer.getInputStream().available());
  }

  @Test
  void whatWasPostedWaitsAsLongAsMoreFollows() throws IOException {
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
  void muchDoesNotWait() throws IOException {
    post(TcpEndpoint.HELD_BYTES);
    endpoint.moreFollows();
    fabric.poll(64);
    arrives(TcpEndpoint.HELD_BYTES);
  }

  @Test
  void severalWritesTogetherAreMuch() throws IOException {
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
  void nothingWaitsForManyPolls() throws IOException {
    for (int i = 0; i < TcpEndpoint.MOST_HELD_POLLS; i++) {
      post(LENGTH_BYTES);
      endpoint.moreFollows();
      fabric.poll(64);
    }
    for (int i = 0; i < TcpEndpoint.MOST_HELD_POLLS; i++) {
      arrives(LENGTH_BYTES);
    }
  }

  @Test
  void whatThePeerReadsDoesNotWait() throws IOException {
    ExposedRegion exposed = endpoint.expose(LENGTH_BYTES, Access.REMOTE_READ);
    byte[] read = ByteBufUtil.getBytes(
        HostileEndpoint.frame(TcpFrame.READ, LENGTH_BYTES, 0, exposed.key(), 0, 0));
    peer.getOutputStream().write(read);
    until(() -> {
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
  void toTellThePeerSendsWhatWaited() throws IOException {
    post(LENGTH_BYTES);
    endpoint.moreFollows();
    endpoint.notifyPeer();
    arrives(LENGTH_BYTES);
  }

  @Test
  void nothingWaitsBeforeASleep() throws IOException {
    post(LENGTH_BYTES);
    endpoint.moreFollows();
    fabric.arm();
    arrives(LENGTH_BYTES);
  }

  @Test
  void whatWaitedArrivesWhenTheEndpointCloses() throws IOException {
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
