package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.railflux.fabric.Access;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.ExposedRegion;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.RealContext;
import io.railflux.fabric.RecordingListener;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.tcp.frames.TcpFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An endpoint whose peer sends arbitrary bytes in arbitrary pieces. */
final class HostileEndpoint implements AutoCloseable {

  static final int REGION_BYTES = 256;
  static final long KEY = 7;

  private static final byte MARK = 0x55;

  final RecordingListener callbacks = new RecordingListener();
  private final RealContext context = new RealContext() {
    @Override
    public long randomLong() {
      return KEY;
    }
  };
  private final TcpFabric fabric = new TcpFabric(new TcpCore(context, null));
  private boolean reads = true;
  private final EmbeddedChannel channel = new EmbeddedChannel() {
    @Override
    protected void doWrite(ChannelOutboundBuffer outbound) throws Exception {
      if (reads) {
        super.doWrite(outbound);
      }
    }
  };
  private final ByteBuffer around = ByteBuffer.allocateDirect(3 * REGION_BYTES);
  private final ExposedRegion region;
  final TcpEndpoint endpoint;

  HostileEndpoint() {
    TcpEndpoint[] made = new TcpEndpoint[1];
    TcpConnection.Owner owner = new TcpConnection.Owner() {
      @Override
      public TcpEndpoint onGreeted(TcpConnection connection) {
        made[0] = fabric.add(connection, callbacks, -1);
        return made[0];
      }

      @Override
      public void onRefused(TcpConnection connection, String reason) {
        throw new AssertionError(reason);
      }
    };
    TcpConnection connection = new TcpConnection(owner, fabric.core(), 1000);
    connection.install(channel, null);
    channel.pipeline().fireChannelActive();
    channel.writeInbound(Unpooled.wrappedBuffer(BarePeer.PREAMBLE));
    endpoint = made[0];
    for (int i = 0; i < around.capacity(); i++) {
      around.put(i, MARK);
    }
    region = endpoint.expose(
        around.slice(REGION_BYTES, REGION_BYTES).order(ByteOrder.LITTLE_ENDIAN), Access.REMOTE_ALL);
    LocalMemory memory = fabric.register(ByteBuffer.allocateDirect(REGION_BYTES));
    endpoint.postReceive(1, memory, 0, 64);
    endpoint.post(new WorkRequest()
        .read(memory, 64, 32, endpoint.attach(KEY, REGION_BYTES), 0)
        .withId(2));
    endpoint.notifyPeer();
  }

  static ByteBuf frame(int type, int length, long taken, long key, int offset, int payloadBytes) {
    ByteBuf frame = Unpooled.buffer();
    TcpFrame.put(frame, type, TcpFrame.SIGNALED, length, taken, key, offset, 1);
    return frame.writeZero(payloadBytes);
  }

  /** Feeds the bytes in pieces of a size, polling in between. */
  HostileEndpoint feed(ByteBuf bytes, int pieceBytes) {
    while (bytes.isReadable() && channel.isActive()) {
      byte[] piece = new byte[Math.min(pieceBytes, bytes.readableBytes())];
      bytes.readBytes(piece);
      channel.writeInbound(Unpooled.wrappedBuffer(piece));
      endpoint.poll(64);
    }
    for (int i = 0; i < 4; i++) {
      endpoint.poll(64);
    }
    channel.releaseOutbound();
    return this;
  }

  void closeRegion() {
    region.close();
  }

  /** From now on a close through the channel's handlers never completes, as a close of TLS takes seconds. */
  void holdBackCloses() {
    channel.pipeline().addFirst(new ChannelOutboundHandlerAdapter() {
      @Override
      public void close(ChannelHandlerContext context, ChannelPromise promise) {}
    });
  }

  /** From now on the kernel accepts no bytes for the peer, which does not read. */
  void readNothing() {
    reads = false;
  }

  int unsentBuffers() {
    return channel.unsafe().outboundBuffer().size();
  }

  boolean isConnected() {
    return channel.isOpen();
  }

  boolean isReady() {
    return endpoint.state() == EndpointState.READY;
  }

  String failure() {
    return endpoint.failure();
  }

  long regionWord(int offset) {
    return region.memory().getLong(offset);
  }

  /** Returns whether no memory outside of the exposed region has changed. */
  boolean keptToItsRegion() {
    for (int i = 0; i < REGION_BYTES; i++) {
      if (around.get(i) != MARK || around.get(2 * REGION_BYTES + i) != MARK) {
        return false;
      }
    }
    return true;
  }

  @Override
  public void close() {
    endpoint.close();
    channel.finishAndReleaseAll();
    fabric.close();
    context.close();
  }
}
