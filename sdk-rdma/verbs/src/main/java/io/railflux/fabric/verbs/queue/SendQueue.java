package io.railflux.fabric.verbs.queue;

import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.PostResult;
import io.railflux.fabric.WorkRequest;
import io.railflux.fabric.verbs.device.QueuePair;
import io.railflux.fabric.verbs.internal.IbvSendWr;
import io.railflux.fabric.verbs.internal.NativeFailure;

/**
 * Posted requests of an endpoint without an observed completion, in order. In addition to requests of the engine it
 * contains pieces of long sends, notifications, and one marker behind the last request.
 *
 * <p>The hardware does not report successful unsignaled requests, so some of them are signaled regularly to free
 * their places.
 */
public final class SendQueue {

  /** The pieces of one send fit into any empty queue. */
  public static final int MAX_SEND_BYTES = 32 * ReceiveQueue.FRAGMENT_BYTES;

  /** Places for entries that the engine does not know. */
  public static final int HIDDEN = 64;

  private static final int RESERVED = 2;
  private static final int SIGNAL_EVERY = 32;

  private final QueueOwner endpoint;
  private final QueuePair pair;
  private final RequestEncoder encoder;
  private final int depth;
  private final int capacity;
  private final int mask;
  private final long[] ids;
  private final Opcode[] opcodes;
  private final Kind[] kinds;
  private int oldest;
  private int next;
  private int requests;
  private int sinceSignal;
  private boolean quiet = true;
  private boolean notificationOwed;
  private boolean markerReturned;

  private enum Kind {
    /** A request, or its last piece, whose success is reported. */
    REPORTED(true),
    /** A request, or its last piece, whose success is not reported. */
    SILENT(true),
    /** A send beyond the limit, which fails regardless of the device. */
    TOO_LONG(true),
    /** A piece of a request before its last one. */
    PIECE(false),
    NOTIFICATION(false),
    MARKER(false),
    /** A piece behind a failed one: the end of the request is reported. */
    OVER(false);

    final boolean endsRequest;

    Kind(boolean endsRequest) {
      this.endsRequest = endsRequest;
    }
  }

  /** @param depth largest number of outstanding requests of the engine */
  public SendQueue(QueueOwner endpoint, QueuePair pair, RequestEncoder encoder, int depth) {
    this.endpoint = endpoint;
    this.pair = pair;
    this.encoder = encoder;
    this.depth = depth;
    this.capacity = depth + HIDDEN;
    int places = Integer.highestOneBit(capacity - 1) << 1;
    this.mask = places - 1;
    this.ids = new long[places];
    this.opcodes = new Opcode[places];
    this.kinds = new Kind[places];
  }

  public PostResult post(WorkRequest request) throws NativeFailure {
    boolean tooLong = request.opcode == Opcode.SEND && request.lengthBytes > MAX_SEND_BYTES;
    int pieces = tooLong ? 1 : encoder.pieces(request);
    if (requests == depth || next - oldest + pieces > capacity - RESERVED) {
      return PostResult.QUEUE_FULL;
    }
    for (int piece = 0; piece < pieces - 1; piece++) {
      int flags = take(request, Kind.PIECE);
      encoder.encodePiece(request, piece, workId(), flags);
      post();
    }
    if (tooLong) {
      take(request, Kind.TOO_LONG);
      encoder.encodeTooLong(workId());
    } else {
      int flags = take(request, request.signaled ? Kind.REPORTED : Kind.SILENT);
      encoder.encodeLast(request, pieces - 1, workId(), flags);
    }
    post();
    requests++;
    quiet = announces(request.opcode) || (quiet && request.opcode == Opcode.READ);
    return PostResult.POSTED;
  }

  /** Whether the arrival of the request wakes the peer. */
  private static boolean announces(Opcode opcode) {
    return opcode == Opcode.SEND || opcode == Opcode.WRITE_WITH_IMMEDIATE;
  }

  /**
   * Wakes the peer after all posted requests. Announced requests need no notification; without room it is sent later.
   */
  public void notifyPeer() throws NativeFailure {
    if (quiet) {
      return;
    }
    if (next - oldest >= capacity - 1) {
      notificationOwed = true;
      return;
    }
    int flags = take(null, Kind.NOTIFICATION);
    encoder.encodeNotification(workId(), flags);
    post();
    quiet = true;
    notificationOwed = false;
  }

  /** Posts a marker behind the last request, whose completion implies that of all requests. */
  public void postMarker() throws NativeFailure {
    int flags = take(null, Kind.MARKER);
    encoder.encodeMarker(workId(), flags | IbvSendWr.SIGNALED);
    post();
  }

  private int take(WorkRequest request, Kind kind) {
    int place = next & mask;
    ids[place] = request == null ? 0 : request.id;
    opcodes[place] = request == null ? null : request.opcode;
    kinds[place] = kind;
    sinceSignal++;
    boolean signaled = kind == Kind.REPORTED || sinceSignal >= SIGNAL_EVERY;
    sinceSignal = signaled ? 0 : sinceSignal;
    return signaled ? IbvSendWr.SIGNALED : 0;
  }

  private long workId() {
    return WorkIds.request(endpoint.number(), next & mask);
  }

  /** There is room, so an error of the device is a failure of the endpoint. */
  private void post() throws NativeFailure {
    int error = pair.post();
    if (error != 0 && encoder.isDoubtful()) {
      encoder.spoil();
      error = pair.post();
    }
    if (error != 0) {
      throw new NativeFailure("ibv_post_send", error);
    }
    next++;
  }

  /** Processes a work completion. Returns 1 after a callback. */
  public int completed(int place, int status) {
    while ((oldest & mask) != place) {
      releaseOldest();
    }
    Kind kind = kinds[place];
    long id = ids[place];
    Opcode opcode = opcodes[place];
    releaseOldest();
    CompletionStatus outcome = Statuses.of(status);
    if (kind == Kind.MARKER) {
      markerReturned = true;
      return 0;
    }
    if (outcome == CompletionStatus.SUCCESS) {
      return kind == Kind.REPORTED ? endpoint.report(id, opcode, outcome, 0, 0) : 0;
    }
    if (kind == Kind.PIECE) {
      forgetRest(id);
    }
    if (kind == Kind.TOO_LONG && outcome != CompletionStatus.FLUSHED) {
      outcome = CompletionStatus.LENGTH;
    }
    boolean request = kind != Kind.NOTIFICATION && kind != Kind.OVER;
    return request ? endpoint.report(id, opcode, outcome, 0, 0) : 0;
  }

  private void forgetRest(long id) {
    for (int i = oldest; i != next; i++) {
      boolean last = kinds[i & mask] != Kind.PIECE;
      kinds[i & mask] = Kind.OVER;
      if (last) {
        requests--;
        return;
      }
    }
    throw new IllegalStateException("request " + id + " has no end");
  }

  private void releaseOldest() {
    Kind kind = kinds[oldest & mask];
    if (kind.endsRequest) {
      requests--;
    }
    oldest++;
  }

  public boolean owesNotification() {
    return notificationOwed && next - oldest < capacity - 1;
  }

  public boolean isDrained() {
    return markerReturned;
  }

  /** Reports the oldest request that will not complete; 0 without any. */
  public int flushOldest() {
    while (oldest != next) {
      int place = oldest & mask;
      Kind kind = kinds[place];
      releaseOldest();
      if (kind.endsRequest) {
        return endpoint.report(ids[place], opcodes[place], CompletionStatus.FLUSHED, 0, 0);
      }
    }
    return 0;
  }
}
