package io.railflux.engine.path;

import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.ring.CongestionWindow;
import io.railflux.engine.ring.PostedRingWriter;
import io.railflux.engine.seal.SealedChunks;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.RemoteAccessException;
import io.railflux.fabric.RemoteRegion;
import io.railflux.fabric.WorkRequest;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

// More than 400 lines: reads, writes and sealed chunks share the places of one send queue.
/**
 * Moves large messages over one subchannel. Chunks bound the time that frames of the ring wait behind them, and
 * take turns ({@link ChunkTurns}). Requests have places of their own in the endpoint's send queue. Each read takes
 * a token (RV4: R 4.2). Reads without a token queue in order of arrival, and returned tokens go to queued reads
 * first. Engine thread only.
 */
public final class BulkLane {

  /** Owner of a request. */
  public interface Requester {

    /**
     * The request succeeded; requests complete in posting order.
     *
     * @param tookNanos time since the post, or since the completion of the previous request of the same kind
     */
    void completed(Subchannel subchannel, int bytes, long tookNanos);

    /** The request will never complete, because the endpoint is drained. */
    void flushed();
  }

  /** A transfer that reads from the peer, one chunk at a time. */
  public interface Reading extends Requester {

    /** Posts the next chunk; returns whether more chunks follow. */
    boolean readChunk(BulkLane lane);
  }

  /** A portion of a large message that is written one chunk at a time. */
  public interface Writing {

    /** Writes the next chunk; returns false without room. */
    boolean step(BulkLane lane);

    /** Whether the portion is completely written or no longer wanted. */
    boolean isOver();

    /** The subchannel failed. */
    void lost();
  }

  /** Weight of the last chunk in the moving average of the rate. */
  private static final double LATELY = 1.0 / 16;

  /** Largest number of chunks written before the ring's next turn. */
  private static final int CHUNKS_A_CYCLE = 4;

  /** Distinguishes completions of these requests from those of the ring's writer. */
  private static final long BULK_ID = 1L << 62;

  /** Far above the number of transfers in flight with one peer. */
  private static final int MAX_REGIONS = 256;

  private record Posted(Requester requester, int bytes, boolean read, long nanos) {}

  private final Subchannel subchannel;
  private final int places;
  private final boolean mapped;
  private final EngineConfig.Large.Pieces pieces;
  private final SealedChunks sealed;
  private final LongSupplier nowNanos;
  private final CongestionWindow writePace;
  private final CongestionWindow readPace;
  private final WorkRequest request = new WorkRequest();
  private final ArrayDeque<Posted> posted = new ArrayDeque<>();
  private final ChunkTurns<Reading> reads = new ChunkTurns<>();
  private final ChunkTurns<Writing> writes = new ChunkTurns<>();
  private final Map<Long, RemoteRegion> regions = new LinkedHashMap<>(16, 0.75f, true);
  private ExposedWindow.Landing window;
  private final ExposedWindow.Source sourceWindow;
  private final ExposedWindow.Mapped peerWindow;
  private final int readTokenCount;
  private int readTokens;
  private long stripedBytes;
  private long lastPosted;
  private long writtenChunks;
  private long writtenBytes;
  private long untimedBytes;
  private double writtenBytesPerNano;
  private long writtenNanos;
  private long readNanos;
  private boolean stopped;

  /**
   * @param nowNanos time of the duty cycle
   * @param writePace pace of the path, shared with the ring's writer
   * @param readPace pace of the opposite direction
   */
  public BulkLane(
      Subchannel subchannel,
      EngineConfig.Large.Pieces pieces,
      LongSupplier nowNanos,
      CongestionWindow writePace,
      CongestionWindow readPace) {
    Capabilities capabilities = subchannel.capabilities();
    this.subchannel = subchannel;
    this.places = PostedRingWriter.bulkPlaces(capabilities);
    this.pieces = pieces;
    this.nowNanos = nowNanos;
    this.writePace = writePace;
    this.readPace = readPace;
    this.mapped = capabilities.mapped();
    this.sourceWindow = new ExposedWindow.Source(subchannel, pieces.windowBytes());
    this.peerWindow = new ExposedWindow.Mapped(subchannel.endpoint);
    this.readTokenCount = Math.min(places, capabilities.maxOutstandingReads());
    this.readTokens = readTokenCount;
    this.sealed = subchannel.sealing == null
        ? null
        : new SealedChunks(subchannel.sealing, subchannel.rail.fabric(), places);
  }

  /** Returns null if the transfers are not sealed. */
  public SealedChunks sealed() {
    return sealed;
  }

  /** Closes the lane together with its subchannel. */
  void close() {
    if (sealed != null) {
      sealed.close();
    }
  }

  public static boolean isBulk(long requestId) {
    return (requestId & BULK_ID) != 0;
  }

  public Subchannel subchannel() {
    return subchannel;
  }

  /** Whether writes are copies into memory of the peer. */
  public boolean isMapped() {
    return mapped;
  }

  /** Largest size of a write in bytes. */
  public int writeBytes() {
    return requestBytes(writePace);
  }

  /** Largest size of a read in bytes. */
  public int readBytes() {
    return requestBytes(readPace);
  }

  /** Copies in memory are not paced, because nothing waits behind them. */
  private int requestBytes(CongestionWindow pace) {
    return mapped ? pieces.chunkBytes() : pace.requestBytes(pieces.chunkBytes());
  }

  /** Fabric memory to which the peer can write portions. */
  public ExposedWindow.Landing window() {
    if (window == null) {
      window = new ExposedWindow.Landing(subchannel.endpoint, pieces.windowBytes());
    }
    return window;
  }

  /** Memory whose messages the peer reads in place. */
  public ExposedWindow.Source sourceWindow() {
    return sourceWindow;
  }

  /** Memory of the peer whose messages this side reads in place. */
  public ExposedWindow.Mapped peerWindow() {
    return peerWindow;
  }

  /** Whether a message is read in place in memory that ends with this subchannel. */
  public boolean isReadInPlace() {
    return sourceWindow.isInUse() || peerWindow.isInUse();
  }

  /** Returns the peer's region for the key; the same object as long as it is in use. */
  public RemoteRegion region(long key, int bytes) throws RemoteAccessException {
    RemoteRegion region = regions.get(key);
    if (region == null || region.lengthBytes() != bytes) {
      makeRoom(key);
      region = subchannel.endpoint.attach(key, bytes);
      regions.put(key, region);
    }
    if (mapped && region.mapped().isReadOnly()) {
      throw new RemoteAccessException("a region that may only be read");
    }
    return region;
  }

  /** The target of a waiting write must stay mapped. A mapped peer has one window, unless it is hostile. */
  private void makeRoom(long key) throws RemoteAccessException {
    boolean known = regions.containsKey(key);
    if (!known && regions.size() < MAX_REGIONS) {
      return;
    }
    if (mapped && writes.peek() != null) {
      throw new RemoteAccessException(
          known
              ? "a region whose length changed while it was written"
              : "more than " + MAX_REGIONS + " regions at once");
    }
    regions.remove(known ? key : regions.keySet().iterator().next()).close();
  }

  /**
   * Reads a large message in turns with others.
   *
   * @param line the message's stream, or the request: reads of one line are sequential
   */
  public void add(Object line, Reading reading) {
    reads.add(line, reading);
  }

  public void remove(Object line, Reading reading) {
    reads.remove(line, reading);
  }

  /**
   * Writes a portion of a large message in turns with others.
   *
   * @param line the message's stream, or the request: writes of one line are sequential
   */
  public void add(Object line, Writing write) {
    writes.add(line, write);
  }

  /** Moves chunks as far as possible; returns the number of steps. */
  public int work() {
    return workOnReads() + workOnWrites();
  }

  private int workOnReads() {
    int steps = 0;
    for (Reading next = reads.peek(); !stopped && next != null && canRead(); next = reads.peek()) {
      int before = posted.size();
      boolean more = next.readChunk(this);
      if (posted.size() == before) {
        // The endpoint refused the request because it failed; the failure is reported soon.
        break;
      }
      reads.moved(next, !more);
      steps++;
    }
    return steps;
  }

  private int workOnWrites() {
    int settled = settleCopies();
    int steps = 0;
    Writing next = writes.peek();
    while (!stopped && next != null && steps < CHUNKS_A_CYCLE && next.step(this)) {
      writes.moved(next, next.isOver());
      steps++;
      next = writes.peek();
    }
    return settled + steps;
  }

  /** Records a chunk copied into memory of the peer. It completes in the next cycle, like any other request. */
  public void copied(Requester requester, int bytes) {
    posted.add(new Posted(requester, bytes, false, nowNanos.getAsLong()));
  }

  /**
   * Completes the copies of the previous cycle, whose duration is that of the cycle: the clock did not advance
   * within it.
   */
  private int settleCopies() {
    int settled = 0;
    while (mapped && !posted.isEmpty() && posted.peek().nanos != nowNanos.getAsLong()) {
      settle(posted.poll());
      settled++;
    }
    return settled;
  }

  /** Whether a chunk can be written now. */
  public boolean hasPlace() {
    return writePace.hasRoom(0) && placesLeft();
  }

  private boolean canRead() {
    return (mapped || readPace.hasRoom(0)) && readTokens > 0 && placesLeft();
  }

  private boolean placesLeft() {
    return posted.size() < places;
  }

  /** Bytes of the stripes of messages in flight. */
  long stripedBytes() {
    return stripedBytes;
  }

  /** Adds the bytes of a message that begins; negative for a message that ended. */
  public void striped(int bytes) {
    stripedBytes += bytes;
  }

  /** Number of reads that hold a token. */
  public int readsOutstanding() {
    return readTokenCount - readTokens;
  }

  /** Returns whether the chunk was posted; otherwise the caller repeats the call in a later cycle. */
  public boolean write(
      Requester requester, LocalMemory from, int offset, int bytes, RemoteRegion to, int toOffset) {
    return hasPlace() && post(requester, request.write(from, offset, bytes, to, toOffset), false);
  }

  /** As {@link #write}; takes a token. */
  public boolean read(
      Requester requester, LocalMemory into, int offset, int bytes, RemoteRegion from) {
    if (!post(requester, request.read(into, offset, bytes, from, offset), true)) {
      return false;
    }
    readTokens--;
    return true;
  }

  private boolean post(Requester requester, WorkRequest prepared, boolean read) {
    int bytes = prepared.lengthBytes;
    PostResult result = subchannel.endpoint.post(prepared.withId(BULK_ID | lastPosted + 1));
    // The endpoint copied the arguments; the prepared request outlives the message.
    prepared.local = null;
    prepared.remote = null;
    if (result != PostResult.POSTED) {
      if (result == PostResult.QUEUE_FULL && posted.isEmpty()) {
        subchannel.endpoint.fence("send queue refused the only request for a large message");
      }
      return false;
    }
    lastPosted++;
    posted.add(new Posted(requester, bytes, read, nowNanos.getAsLong()));
    (read ? readPace : writePace).posted(bytes);
    return true;
  }

  /** Completes the oldest request. Other ids belong to requests that already completed. */
  public void completed(long requestId) {
    if (requestId != (BULK_ID | lastPosted - posted.size() + 1) || posted.isEmpty()) {
      return;
    }
    Posted oldest = posted.poll();
    if (oldest.read) {
      readTokens++;
    }
    (oldest.read ? readPace : writePace).completed(oldest.bytes);
    settle(oldest);
  }

  private void settle(Posted oldest) {
    long now = nowNanos.getAsLong();
    long tookNanos = now - Math.max(oldest.nanos, oldest.read ? readNanos : writtenNanos);
    if (oldest.read) {
      readNanos = now;
    } else {
      writtenNanos = now;
      written(oldest.bytes, tookNanos);
    }
    oldest.requester.completed(subchannel, oldest.bytes, tookNanos);
  }

  /** Records bytes that the peer read from this side. */
  public void wasRead(int bytes, long tookNanos) {
    written(bytes, tookNanos);
  }

  /** Chunks that complete in the same cycle share its duration. */
  private void written(int bytes, long tookNanos) {
    writtenChunks++;
    writtenBytes += bytes;
    untimedBytes += bytes;
    if (tookNanos > 0) {
      double now = (double) untimedBytes / tookNanos;
      untimedBytes = 0;
      writtenBytesPerNano += (now - writtenBytesPerNano) * (writtenBytesPerNano == 0 ? 1 : LATELY);
    }
  }

  /** Number of written chunks that arrived. */
  long writtenChunks() {
    return writtenChunks;
  }

  /** Number of written bytes that arrived. */
  public long writtenBytes() {
    return writtenBytes;
  }

  /** Recent rate of the written chunks; 0 without any. */
  public double writtenBytesPerNano() {
    return writtenBytesPerNano;
  }

  /** Stops posting, because the endpoint failed. */
  public void stop() {
    stopped = true;
    reads.clear(reading -> {});
    writes.clear(Writing::lost);
  }

  /** Ends all posted requests, which no longer take effect. */
  public void drained() {
    for (Posted oldest = posted.poll(); oldest != null; oldest = posted.poll()) {
      oldest.requester.flushed();
    }
  }
}
