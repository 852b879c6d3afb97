package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.openucx.jucx.UcxCallback;
import org.openucx.jucx.UcxException;
import org.openucx.jucx.UcxUtils;
import org.openucx.jucx.ucp.UcpContext;
import org.openucx.jucx.ucp.UcpEndpoint;
import org.openucx.jucx.ucp.UcpEndpointParams;
import org.openucx.jucx.ucp.UcpParams;
import org.openucx.jucx.ucp.UcpRequest;
import org.openucx.jucx.ucp.UcpWorker;
import org.openucx.jucx.ucp.UcpWorkerParams;
import org.openucx.jucx.ucs.UcsConstants;

/** Tagged messages between this and one other UCX worker. One thread at a time, which drives the progress. */
final class UcxConnection implements AutoCloseable {

  private static final long STUCK_NANOS = 10_000_000_000L;
  private static final long CLOSE_NANOS = 1_000_000_000L;
  private static final int CLOCK_EVERY = 1 << 12;
  private static final long WHOLE_TAG = -1;

  /** A detection of the memory type would take time, and its code differs between versions of UCX. */
  private static final int HOST = UcsConstants.MEMORY_TYPE.UCS_MEMORY_TYPE_HOST;

  private static final UcxCallback NONE = null;

  private final UcpContext context;
  private final UcpWorker worker;
  private UcpEndpoint endpoint;
  private volatile boolean stopped;

  /**
   * @param transports in the format of {@code UCX_TLS}
   */
  UcxConnection(String transports) {
    context = new UcpContext(new UcpParams().requestTagFeature().setConfig("TLS", transports));
    worker = context.newWorker(new UcpWorkerParams());
  }

  /** Returns the address of this side, for the other side. */
  ByteBuffer address() {
    return worker.getAddress();
  }

  /** @param address direct */
  void connect(ByteBuffer address) {
    endpoint = worker.newEndpoint(new UcpEndpointParams().setUcpAddress(address));
  }

  /**
   * @param memory direct; reserved until the request is completed
   */
  UcpRequest send(ByteBuffer memory, int offset, int bytes, long tag) {
    return endpoint.sendTaggedNonBlocking(
        UcxUtils.getAddress(memory) + offset, bytes, tag, NONE, HOST);
  }

  /**
   * @param memory direct; reserved until the request is completed
   */
  UcpRequest receive(ByteBuffer memory, int offset, int bytes, long tag) {
    return worker.recvTaggedNonBlocking(
        UcxUtils.getAddress(memory) + offset, bytes, tag, WHOLE_TAG, NONE, HOST);
  }

  /** Drives the progress of transfers. */
  void progress() throws IOException {
    try {
      if (worker.progress() == 0) {
        Thread.onSpinWait();
      }
    } catch (Exception e) {
      throw new IOException("UCX failed: " + e, e);
    }
  }

  /** Waits for a request. Returns false if this side was stopped. */
  boolean await(UcpRequest request) throws IOException {
    long begun = System.nanoTime();
    for (int spins = 1; !request.isCompleted() && !stopped; spins++) {
      progress();
      if (spins % CLOCK_EVERY == 0 && System.nanoTime() - begun > STUCK_NANOS) {
        throw new CommandFailure("the far process stopped answering over UCX");
      }
    }
    return request.isCompleted();
  }

  /** Ends all waits. Any thread. */
  void stop() {
    stopped = true;
  }

  boolean isStopped() {
    return stopped;
  }

  @Override
  public void close() throws IOException {
    if (endpoint != null) {
      closeEndpoint();
    }
    worker.close();
    context.close();
  }

  /** The other side may have ended, which UCX reports in several ways. */
  private void closeEndpoint() throws IOException {
    try {
      UcpRequest closed = endpoint.closeNonBlockingFlush();
      long begun = System.nanoTime();
      while (!closed.isCompleted() && System.nanoTime() - begun < CLOSE_NANOS) {
        progress();
      }
    } catch (UcxException gone) {
      // The peer is gone and needs no notification.
    }
  }
}
