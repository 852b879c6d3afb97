package io.railflux.engine;

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

/**
 * What large messages move over one subchannel: in chunks, so that frames of the ring never wait long
 * behind them, in turns ({@link ChunkTurns}). Its requests have places of their own in the endpoint's send
 * queue. Reads take tokens (RV4: R 4.2): without one a read queues, first in first out, and what comes back
 * goes to those that queue. Engine thread only.
 */
final class BulkLane {

  /** Whose request it was. */
  interface Requester {

    /**
     * It succeeded; requests complete in posting order.
     *
     * @param tookNanos since it was posted, or since the one before it of its kind completed
     */
    void completed(Subchannel subchannel, int bytes, long tookNanos);

    /** It never will: the endpoint is drained. */
    void flushed();
  }

  /** Something to be read from the peer, a chunk at a time. */
  interface Reading extends Requester {

    /** Posts the next chunk; returns whether there are more. */
    boolean readChunk(BulkLane lane);
  }

  /** What the last chunk counts beside those before it. */
  private static final double LATELY = 1.0 / 16;

  /** Chunks written before the ring has its turn again. */
  private static final int CHUNKS_A_CYCLE = 4;

  /** Tells completions of these requests from those of the ring's writer. */
  private static final long BULK_ID = 1L << 62;

  /** Far more than transfers that can be under way with one peer. */
  private static final int MOST_REGIONS = 256;

  private record Posted(Requester requester, int bytes, boolean read, long nanos) {}

  private final Subchannel subchannel;
  private final int places;
  private final boolean mapped;
  private final EngineConfig.Large.Pieces pieces;
  private final SealedChunks sealed;
  private final LongSupplier nowNanos;
  private final PathPace writePace;
  private final PathPace readPace;
  private final WorkRequest request = new WorkRequest();
  private final ArrayDeque<Posted> posted = new ArrayDeque<>();
  private final ChunkTurns<Reading> reads = new ChunkTurns<>();
  private final ChunkTurns<GrantedWrite> writes = new ChunkTurns<>();
  private final Map<Long, RemoteRegion> regions = new LinkedHashMap<>(16, 0.75f, true);
  private LandingWindow window;
  private final SourceWindow sourceWindow;
  private final PeerWindow peerWindow;
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
   * @param nowNanos the duty cycle's time
   * @param writePace of the path, shared with the ring's writer
   * @param readPace of the way back
   */
  BulkLane(
      Subchannel subchannel,
      EngineConfig.Large.Pieces pieces,
      LongSupplier nowNanos,
      PathPace writePace,
      PathPace readPace) {
    Capabilities capabilities = subchannel.capabilities();
    this.subchannel = subchannel;
    this.places = places(capabilities);
    this.pieces = pieces;
    this.nowNanos = nowNanos;
    this.writePace = writePace;
    this.readPace = readPace;
    this.mapped = capabilities.mapped();
    this.sourceWindow = new SourceWindow(subchannel, pieces.windowBytes());
    this.peerWindow = new PeerWindow(subchannel.endpoint);
    this.readTokenCount = Math.min(places, capabilities.maxOutstandingReads());
    this.readTokens = readTokenCount;
    this.sealed = subchannel.sealing == null
        ? null
        : new SealedChunks(subchannel.sealing, subchannel.rail.fabric(), places);
  }

  /** Null where what travels need not be sealed. */
  SealedChunks sealed() {
    return sealed;
  }

  /** With its subchannel. */
  void close() {
    if (sealed != null) {
      sealed.close();
    }
  }

  /** Of the send queue; the rest is the ring writer's. */
  static int places(Capabilities capabilities) {
    return Math.max(1, Math.min(16, capabilities.sendQueueDepth() / 4));
  }

  static boolean isBulk(long requestId) {
    return (requestId & BULK_ID) != 0;
  }

  Subchannel subchannel() {
    return subchannel;
  }

  /** Whether writes are copies into memory of the peer. */
  boolean isMapped() {
    return mapped;
  }

  /** Bytes of one write at most. */
  int writeBytes() {
    return requestBytes(writePace);
  }

  /** Bytes of one read at most. */
  int readBytes() {
    return requestBytes(readPace);
  }

  /** Copies in memory are not paced: nothing waits behind them. */
  private int requestBytes(PathPace pace) {
    return mapped ? pieces.chunkBytes() : pace.requestBytes(pieces.chunkBytes());
  }

  /** Memory of the fabric's own that the peer can write portions to. */
  LandingWindow window() {
    if (window == null) {
      window = new LandingWindow(subchannel.endpoint, pieces.windowBytes());
    }
    return window;
  }

  /** Where messages lie that the peer looks at. */
  SourceWindow sourceWindow() {
    return sourceWindow;
  }

  /** Where messages lie that this side looks at. */
  PeerWindow peerWindow() {
    return peerWindow;
  }

  /** Whether a message is looked at in memory that ends with this subchannel. */
  boolean isLookedAt() {
    return sourceWindow.isInUse() || peerWindow.isInUse();
  }

  /** The peer's region of that key; the same object each time, as long as it is in use. */
  RemoteRegion region(long key, int bytes) throws RemoteAccessException {
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

  /** What a write waits for must stay mapped: a mapped peer has one window, unless it is hostile. */
  private void makeRoom(long key) throws RemoteAccessException {
    boolean known = regions.containsKey(key);
    if (!known && regions.size() < MOST_REGIONS) {
      return;
    }
    if (mapped && writes.peek() != null) {
      throw new RemoteAccessException(
          known
              ? "a region whose length changed while it was written"
              : "more than " + MOST_REGIONS + " regions at once");
    }
    regions.remove(known ? key : regions.keySet().iterator().next()).close();
  }

  /** @param stream of the message; null for a request */
  void add(InboundStream stream, Reading reading) {
    reads.add(stream, reading);
  }

  void remove(InboundStream stream, Reading reading) {
    reads.remove(stream, reading);
  }

  /** @param line of the message's stream, or of the request: its writes go one after the other */
  void add(Object line, GrantedWrite write) {
    writes.add(line, write);
  }

  /** Moves what can be moved now; returns how many steps were taken. */
  int work() {
    return workOnReads() + workOnWrites();
  }

  private int workOnReads() {
    int steps = 0;
    for (Reading next = reads.peek(); !stopped && next != null && canRead(); next = reads.peek()) {
      int before = posted.size();
      boolean more = next.readChunk(this);
      if (posted.size() == before) {
        // The endpoint took nothing: it failed, which is heard of soon.
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
    GrantedWrite next = writes.peek();
    while (!stopped && next != null && steps < CHUNKS_A_CYCLE && next.step(this)) {
      writes.moved(next, next.isOver());
      steps++;
      next = writes.peek();
    }
    return settled + steps;
  }

  /** A chunk was copied into memory of the peer, which is told as any other request in the next cycle. */
  void copied(Requester requester, int bytes) {
    posted.add(new Posted(requester, bytes, false, nowNanos.getAsLong()));
  }

  /** What the cycle before copied took as long as that: nobody looked at a clock in between. */
  private int settleCopies() {
    int settled = 0;
    while (mapped && !posted.isEmpty() && posted.peek().nanos != nowNanos.getAsLong()) {
      settle(posted.poll());
      settled++;
    }
    return settled;
  }

  /** Whether a chunk can be written now. */
  boolean hasPlace() {
    return writePace.hasRoom(0) && placesLeft();
  }

  private boolean canRead() {
    return (mapped || readPace.hasRoom(0)) && readTokens > 0 && placesLeft();
  }

  private boolean placesLeft() {
    return posted.size() < places;
  }

  /** Stripes of messages that are under way. */
  long stripedBytes() {
    return stripedBytes;
  }

  /** A message begins, or it is over: less than nothing. */
  void striped(int bytes) {
    stripedBytes += bytes;
  }

  /** Reads that took a token. */
  int readsOutstanding() {
    return readTokenCount - readTokens;
  }

  /** Returns whether the chunk was posted; not now means again in a later cycle. */
  boolean write(
      Requester requester, LocalMemory from, int offset, int bytes, RemoteRegion to, int toOffset) {
    return hasPlace() && post(requester, request.write(from, offset, bytes, to, toOffset), false);
  }

  /** As {@link #write}; takes a token. */
  boolean read(Requester requester, LocalMemory into, int offset, int bytes, RemoteRegion from) {
    if (!post(requester, request.read(into, offset, bytes, from, offset), true)) {
      return false;
    }
    readTokens--;
    return true;
  }

  private boolean post(Requester requester, WorkRequest prepared, boolean read) {
    int bytes = prepared.lengthBytes;
    PostResult result = subchannel.endpoint.post(prepared.withId(BULK_ID | lastPosted + 1));
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

  /** The oldest request succeeded; of others it was told before. */
  void completed(long requestId) {
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

  /** The peer read so much here. */
  void wasRead(int bytes, long tookNanos) {
    written(bytes, tookNanos);
  }

  /** Those that are seen to complete in one cycle share its time. */
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

  /** How many chunks arrived. */
  long writtenChunks() {
    return writtenChunks;
  }

  /** How many bytes they were. */
  long writtenBytes() {
    return writtenBytes;
  }

  /** How fast they were lately; 0 when there were none. */
  double writtenBytesPerNano() {
    return writtenBytesPerNano;
  }

  /** The endpoint failed: nothing more is posted. */
  void stop() {
    stopped = true;
    reads.clear(reading -> {});
    writes.clear(GrantedWrite::lost);
  }

  /** Nothing posted takes effect any more. */
  void drained() {
    for (Posted oldest = posted.poll(); oldest != null; oldest = posted.poll()) {
      oldest.requester.flushed();
    }
  }
}
