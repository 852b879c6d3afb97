package io.railflux.engine.base;

import io.railflux.fabric.LocalMemory;
import io.railflux.wire.handshake.HandshakeHeader;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Direct memory for sessions and their handshakes. An allocation that may wait for the garbage collector runs on
 * another thread, for one handshake at a time. Its failure also fails all waiting requests. Engine thread only.
 */
public final class SessionMemory {

  private static final Logger LOG = LoggerFactory.getLogger(SessionMemory.class);

  /** Size of a handshake's memory: the first half receives, the second half sends. */
  public static final int HANDSHAKE_BYTES = 2 * HandshakeHeader.MAX_BYTES;

  /** Memory for one handshake of a session that lost its only subchannel, and for one of another peer. */
  private static final int MIN_KEPT = 2;

  @SuppressWarnings("ArrayRecordComponent") // Requests are never compared.
  private record Request(int[] sizes, Consumer<ByteBuffer[]> then) {

    /** An exception of the receiver does not affect the requests behind this one. */
    void answer(ByteBuffer[] buffers) {
      try {
        then.accept(buffers);
      } catch (RuntimeException e) {
        LOG.error("a handshake failed after its memory was allocated", e);
      }
    }
  }

  private final String nodeName;
  private final EngineHost host;
  private final Consumer<Runnable> engine;
  private final ArrayDeque<Request> waiting = new ArrayDeque<>();
  private final ArrayDeque<ByteBuffer> handshakes = new ArrayDeque<>();
  private boolean allocating;
  private int sessions;
  private String cause = "";

  /** @param engine runs a task on the engine thread; called on any thread */
  public SessionMemory(String nodeName, EngineHost host, Consumer<Runnable> engine) {
    this.nodeName = nodeName;
    this.host = host;
    this.engine = engine;
  }

  /** Reserves memory for the first handshakes when a rail opens. Idempotent. */
  public void reserve() {
    while (handshakes.size() < MIN_KEPT) {
      handshakes.add(host.memory().allocate(HANDSHAKE_BYTES));
    }
  }

  /**
   * Allocates without waiting.
   *
   * @param sizes in bytes; size 0 yields no buffer
   * @return one buffer for each size, or null
   */
  public ByteBuffer[] tryTake(int... sizes) {
    return isMoreWaiting() || !host.memory().hasRoom(sum(sizes)) ? null : allocate(sizes);
  }

  private boolean isMoreWaiting() {
    return allocating || !waiting.isEmpty();
  }

  private static long sum(int[] sizes) {
    long sum = 0;
    for (int size : sizes) {
      sum += size;
    }
    return sum;
  }

  /** Any thread. Returns null at the limit; earlier buffers of the request become garbage. */
  private ByteBuffer[] allocate(int[] sizes) {
    ByteBuffer[] buffers = new ByteBuffer[sizes.length];
    try {
      for (int i = 0; i < sizes.length; i++) {
        buffers[i] = sizes[i] == 0 ? null : host.memory().allocate(sizes[i]);
      }
      return buffers;
    } catch (OutOfMemoryError e) {
      return null;
    }
  }

  /**
   * Allocates on another thread.
   *
   * @param sizes as in {@link #tryTake}
   * @param then receives the buffers later, or null; {@link #refusal} states the reason
   */
  public void take(int[] sizes, Consumer<ByteBuffer[]> then) {
    waiting.add(new Request(sizes, then));
    allocateNext();
  }

  private void allocateNext() {
    Request next = allocating ? null : waiting.poll();
    if (next == null) {
      return;
    }
    allocating = true;
    ByteBuffer[][] result = new ByteBuffer[1][];
    try {
      host.aside(() -> {
        try {
          result[0] = allocate(next.sizes);
        } finally {
          engine.accept(() -> allocated(next, result[0], host.memory().usage()));
        }
      });
    } catch (RuntimeException | OutOfMemoryError e) {
      // No thread is available.
      allocated(next, null, String.valueOf(e.getMessage()));
    }
  }

  private void allocated(Request request, ByteBuffer[] buffers, String why) {
    allocating = false;
    cause = why;
    if (buffers == null) {
      ArrayDeque<Request> behind = new ArrayDeque<>(waiting);
      waiting.clear();
      request.answer(null);
      behind.forEach(other -> other.answer(null));
    } else {
      request.answer(buffers);
    }
    allocateNext();
  }

  /** Returns the cause of the last failure and the remedy, for people at both ends. */
  public String refusal() {
    return "node '" + nodeName + "' has no memory for another peer: " + cause
        + "; raise -XX:MaxDirectMemorySize or lower ringBytes";
  }

  /** As {@link #refusal}, after {@link #tryTake} returned null. */
  public String refusalNow() {
    cause = host.memory().usage();
    return refusal();
  }

  /**
   * Returns memory for one handshake over this rail: kept memory or new memory without waiting; null without
   * either.
   */
  public HandshakeMemory handshake(Rail rail) {
    ByteBuffer kept = handshakes.poll();
    ByteBuffer buffer = kept == null ? newHandshake() : kept;
    return buffer == null
        ? null
        : new HandshakeMemory(this, buffer, rail.fabric().register(buffer));
  }

  private ByteBuffer newHandshake() {
    ByteBuffer taken = host.memory().tryAllocate(HANDSHAKE_BYTES);
    if (taken == null) {
      cause = host.memory().usage();
      refill();
    }
    return taken;
  }

  /** The collector may free memory, which the next request finds. */
  private void refill() {
    if (!isMoreWaiting()) {
      take(new int[] {HANDSHAKE_BYTES}, buffers -> {
        if (buffers != null) {
          giveBack(buffers[0]);
        }
      });
    }
  }

  void giveBack(ByteBuffer handshake) {
    if (handshakes.size() < MIN_KEPT + sessions) {
      handshakes.add(handshake);
    }
  }

  /** A session begins: from now on memory for one more handshake is always kept. */
  public void sessionBegins(ByteBuffer handshake) {
    sessions++;
    giveBack(handshake);
  }

  public void sessionEnds() {
    sessions--;
    if (handshakes.size() > MIN_KEPT + sessions) {
      handshakes.poll();
    }
  }

  /** Memory for the messages of one handshake, registered with its rail. Engine thread only. */
  public static final class HandshakeMemory {

    private final SessionMemory owner;
    private final ByteBuffer buffer;
    private final LocalMemory registered;
    private boolean closed;

    HandshakeMemory(SessionMemory owner, ByteBuffer buffer, LocalMemory registered) {
      this.owner = owner;
      this.buffer = buffer;
      this.registered = registered;
    }

    public LocalMemory registered() {
      return registered;
    }

    /** Ends receives into this memory and sends from it. Idempotent. */
    public void close() {
      if (!closed) {
        closed = true;
        registered.close();
        owner.giveBack(buffer);
      }
    }
  }
}
