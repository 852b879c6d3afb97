package io.railflux.wire;

/** Types of ring frames: the byte at offset 4 of the publish word. */
public final class FrameType {
  /** Fills the remainder of the ring; only the publish word is valid. */
  public static final int PADDING = 1;

  /** One encoded message of a stream; streamSeq is its number. */
  public static final int DATA = 2;

  /** Opens a stream or a route; body {@link OpenFrame}. */
  public static final int OPEN = 3;

  /** Refuses an {@link #OPEN}; body {@link RejectFrame}. */
  public static final int REJECT = 4;

  /** Grants messages; streamSeq is the absolute cumulative position. */
  public static final int DEMAND = 5;

  /** The subscriber cancels; streamSeq is the number after the last received message. */
  public static final int CANCEL = 6;

  /** The stream ended; streamSeq is the number after its last message. */
  public static final int COMPLETE = 7;

  /** The stream failed; streamSeq as in {@link #COMPLETE}, body {@link ErrorFrame}. */
  public static final int ERROR = 8;

  /** Opens an exchange; streamSeq is the initial demand, body {@link RequestBody}. */
  public static final int REQUEST = 9;

  /** Link frame: the sender is alive. */
  public static final int HEARTBEAT = 10;

  /** Frames received before a rail was fenced; body {@link ResumeInfo}. */
  public static final int RESUME = 11;

  /** The node leaves the session; body {@link GoodbyeFrame}. */
  public static final int GOODBYE = 12;

  /** Link frame with the piggyback extension only. */
  public static final int CREDIT = 13;

  /** Consecutive messages of a stream; streamSeq is the number of the first; body {@link BatchTable}. */
  public static final int BATCH = 14;

  /**
   * Announces a message that is too large for the ring; streamId and streamSeq as in {@link #DATA} or {@link
   * #REQUEST}, body {@link RendezvousStart}.
   */
  public static final int RNDZ_START = 15;

  /** Grants a region for a portion of it; body {@link RendezvousReply}. */
  public static final int RNDZ_REPLY = 16;

  /** The portion is written; body {@link RendezvousFin}. */
  public static final int RNDZ_FIN = 17;

  /** The transfer is over; body {@link RendezvousDone}. */
  public static final int RNDZ_DONE = 18;

  /** Further addresses of the sender; body {@link AddressesFrame}. */
  public static final int ADDRESSES = 19;

  /** The connecting side removes a rail for good; streamSeq is the subchannel. No body. */
  public static final int RETIRE = 20;

  /**
   * The node drains: streams and requests under way finish, new ones belong elsewhere; body {@link GoodbyeFrame}.
   * {@link #GOODBYE} follows when the drain is over. An earlier build of the same protocol version ignores the frame.
   */
  public static final int CLOSING = 21;

  /**
   * The subscriber of a positioned stream begins at position streamSeq of its source; sent before the first {@link
   * #DEMAND}. Without this frame it begins at 0. See {@link OpenFrame#positioned}.
   */
  public static final int POSITION = 22;

  /**
   * The sender has a subscriber for a stream that the receiver does not announce, or no longer with LAST; for messages
   * to people. Body {@link GoodbyeFrame} with the name.
   */
  public static final int AWAITING = 23;

  /**
   * Offers the sender of a flow another ring (CH3: T 3.3); body {@link RingOffer}. The receiver of the flow sends the
   * frame.
   */
  public static final int RING_OFFER = 24;

  /** The sender of a flow needs a ring that takes frames of streamSeq bytes. No body. */
  public static final int RING_WANTED = 25;

  /** The sender of a flow cannot use the offered ring; streamSeq is the subchannel. No body. */
  public static final int RING_DECLINED = 26;

  /** Link frame: the last frame of a ring. The next frame is the first of the ring that was offered last. */
  public static final int RING_SWITCH = 27;

  private static final String[] NAMES = {
    "PADDING",
    "DATA",
    "OPEN",
    "REJECT",
    "DEMAND",
    "CANCEL",
    "COMPLETE",
    "ERROR",
    "REQUEST",
    "HEARTBEAT",
    "RESUME",
    "GOODBYE",
    "CREDIT",
    "BATCH",
    "RNDZ_START",
    "RNDZ_REPLY",
    "RNDZ_FIN",
    "RNDZ_DONE",
    "ADDRESSES",
    "RETIRE",
    "CLOSING",
    "POSITION",
    "AWAITING",
    "RING_OFFER",
    "RING_WANTED",
    "RING_DECLINED",
    "RING_SWITCH"
  };

  private FrameType() {}

  /** Whether this version defines {@code type}. */
  public static boolean known(int type) {
    return type >= PADDING && type <= RING_SWITCH;
  }

  /** Whether frames of {@code type} contain messages of a stream. */
  public static boolean isMessages(int type) {
    return type == DATA || type == BATCH;
  }

  /**
   * Whether frames of {@code type} carry a PSN that is acknowledged. Unknown types count as sequenced, so that a
   * skipped frame leaves no gap.
   */
  public static boolean sequenced(int type) {
    return type != PADDING && type != HEARTBEAT && type != CREDIT && type != RING_SWITCH;
  }

  /** Returns the name for logs; the number of unknown types. */
  public static String name(int type) {
    return known(type) ? NAMES[type - PADDING] : "TYPE_" + type;
  }
}
