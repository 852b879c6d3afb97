package io.railflux.wire;

import io.railflux.buffer.PooledBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * A received frame, see {@link FrameHeader}. Reusable; allocates nothing.
 *
 * <p>The sender may still change the memory of a ring, maliciously or by a late write. Each header field is therefore
 * copied once, and the copy is validated and returned. Metadata and body stay in the ring: their decoders treat every
 * byte as hostile.
 */
public final class ReceivedFrame {

  private static final int LOOKED_AT = FrameHeader.EXTENSIONS | FrameFlags.TAG;

  /** Creates an empty frame. */
  public ReceivedFrame() {}

  private ByteBuffer buffer;
  private ByteBuffer view;
  private int offset;
  private long word;
  private long psn;
  private long streamId;
  private long streamSeq;

  // Extensions of the flags; unchanged without them.
  private long creditPosition;
  private long ackPsn;
  private long timeToLiveNanos;
  private int metadataOffset;
  private int metadataBytes;

  private int bodyOffset;
  private int bodyBytes;

  // Message of a rendezvous, whose body is outside the ring; null otherwise.
  private ByteBuffer payload;
  private PooledBuffer payloadOwner;
  private boolean payloadInPlace;

  // Unread part of a batch.
  private int messagesLeft;
  private int nextMessage;
  private int nextLength;
  private int messagesEnd;

  /**
   * Reads the frame at {@code offset} with the publish word {@code word}.
   *
   * @param availableBytes readable bytes from {@code offset} on, at most the remainder of the ring
   * @return null if the frame is valid: body and metadata are within the frame, and the frame is within {@code
   *     availableBytes}. An unknown type is valid if it is skippable
   */
  public Violation read(ByteBuffer ring, int offset, long word, int availableBytes) {
    return read(ring, ring, offset, word, availableBytes);
  }

  /** Like the other method, with another {@code view} of the same memory for decoders. */
  public Violation read(
      ByteBuffer ring, ByteBuffer view, int offset, long word, int availableBytes) {
    start(ring, view, offset, word);
    Violation violation = FrameHeader.type(word) == FrameType.PADDING
        ? readPadding(availableBytes)
        : readHeader(ring, availableBytes);
    if (violation != null) {
      this.word = 0;
      bodyBytes = 0;
    }
    return violation;
  }

  private void start(ByteBuffer ring, ByteBuffer newView, int newOffset, long newWord) {
    // All frames of a ring have the same buffer; comparing is cheaper than storing a reference.
    if (buffer != ring || view != newView) {
      buffer = ring;
      view = newView;
    }
    if (payload != null) {
      payload = null;
      payloadOwner = null;
    }
    offset = newOffset;
    word = newWord;
  }

  /**
   * Makes the frame that announced a rendezvous represent the message itself, as a frame of {@code type} with the
   * same header and metadata.
   *
   * @param memory the body, {@code lengthBytes} from 0 of its memory
   */
  public void carry(int type, PooledBuffer memory, int lengthBytes) {
    word = FrameHeader.word(
        FrameHeader.lengthBytes(word), type, flags(), FrameHeader.headerBytes(word));
    payload = memory.memory().asReadOnlyBuffer();
    payloadOwner = memory;
    payloadInPlace = false;
    bodyOffset = 0;
    bodyBytes = lengthBytes;
  }

  /**
   * Like {@link #carry}, for a message in memory of its sender.
   *
   * @param view the whole message, read during the delivery only
   * @param memory receives a copy for subscribers that keep the message
   */
  public void carryInPlace(int type, ByteBuffer view, PooledBuffer memory) {
    carry(type, memory, view.capacity());
    payload = view.asReadOnlyBuffer();
    payloadInPlace = true;
  }

  /**
   * Passes the memory of a rendezvous message once to the caller, which releases the memory. Null for other messages.
   */
  public PooledBuffer takePayload() {
    PooledBuffer taken = payloadOwner;
    if (taken != null && payloadInPlace) {
      taken.memory().put(0, payload, 0, bodyBytes);
    }
    payloadOwner = null;
    return taken;
  }

  /**
   * Drops the message of a rendezvous after its delivery; its body is then invalid.
   *
   * @return whether its memory was {@link #takePayload taken}
   */
  public boolean forgetPayload() {
    boolean taken = payloadOwner == null;
    payloadOwner = null;
    payload = null;
    bodyBytes = 0;
    return taken;
  }

  /** Drops references to the memory of the last frame and its rendezvous. */
  public void forget() {
    forgetPayload();
    buffer = null;
    view = null;
    word = 0;
  }

  private Violation readPadding(int availableBytes) {
    int lengthBytes = lengthBytes();
    if (lengthBytes <= 0 || lengthBytes > availableBytes) {
      return Violation.LENGTH_OUT_OF_RANGE;
    }
    // A padding frame has only its publish word; the bytes behind it belong to an older frame.
    word = FrameHeader.word(lengthBytes, FrameType.PADDING, 0, 0);
    bodyOffset = offset;
    bodyBytes = 0;
    psn = 0;
    streamId = 0;
    streamSeq = 0;
    return lengthBytes % FrameHeader.SLOT_BYTES == 0 ? null : Violation.PADDING_LENGTH;
  }

  private Violation readHeader(ByteBuffer ring, int availableBytes) {
    int lengthBytes = FrameHeader.lengthBytes(word);
    int headerBytes = FrameHeader.headerBytes(word);
    if (lengthBytes < FrameHeader.BYTES || lengthBytes > availableBytes) {
      return Violation.LENGTH_OUT_OF_RANGE;
    }
    if (headerBytes < FrameHeader.BYTES || headerBytes > lengthBytes || (headerBytes & 7) != 0) {
      return Violation.HEADER_LENGTH;
    }
    psn = ring.getLong(offset + FrameHeader.PSN_OFFSET);
    streamId = ring.getLong(offset + FrameHeader.STREAM_ID_OFFSET);
    streamSeq = ring.getLong(offset + FrameHeader.STREAM_SEQ_OFFSET);
    bodyOffset = offset + headerBytes;
    bodyBytes = lengthBytes - headerBytes;
    if ((FrameHeader.flags(word) & LOOKED_AT) != 0) {
      Violation violation = readExtensions(headerBytes);
      if (violation != null) {
        return violation;
      }
    }
    return checkType();
  }

  private Violation readExtensions(int headerBytes) {
    if (has(FrameFlags.TAG)) {
      return Violation.SEALED;
    }
    if (FrameHeader.headerBytes(flags(), 0) > headerBytes) {
      return Violation.EXTENSION_OVERRUN;
    }
    int at = offset + FrameHeader.BYTES;
    if (has(FrameFlags.PIGGYBACK)) {
      creditPosition = buffer.getLong(at);
      ackPsn = buffer.getLong(at + 8);
      at += FrameHeader.PIGGYBACK_BYTES;
    }
    if (has(FrameFlags.TIME_TO_LIVE)) {
      timeToLiveNanos = buffer.getLong(at);
      at += FrameHeader.TIME_TO_LIVE_BYTES;
      if (timeToLiveNanos <= 0) {
        return Violation.TIME_TO_LIVE;
      }
    }
    return has(FrameFlags.METADATA) ? readMetadata(at, headerBytes) : null;
  }

  private Violation readMetadata(int at, int headerBytes) {
    int count = Short.toUnsignedInt(buffer.getShort(at));
    if (count > Metadata.MAX_BYTES || FrameHeader.headerBytes(flags(), count) > headerBytes) {
      return Violation.METADATA_OVERRUN;
    }
    metadataOffset = at + FrameHeader.METADATA_COUNT_BYTES;
    metadataBytes = count;
    return null;
  }

  private Violation checkType() {
    int type = FrameHeader.type(word);
    if (type == FrameType.DATA) {
      return null;
    }
    if (type == FrameType.BATCH) {
      return readBatch();
    }
    if (!FrameType.known(type)) {
      return has(FrameFlags.SKIPPABLE) ? null : Violation.UNKNOWN_TYPE;
    }
    if (type == FrameType.CREDIT && !has(FrameFlags.PIGGYBACK)) {
      return Violation.MISSING_PIGGYBACK;
    }
    if (type == FrameType.REQUEST && bodyBytes < RequestBody.ROUTE_ID_BYTES) {
      return Violation.BODY_TOO_SHORT;
    }
    return null;
  }

  private Violation readBatch() {
    if (has(FrameFlags.LAST | FrameFlags.TIME_TO_LIVE | FrameFlags.METADATA)) {
      return Violation.BATCH_FLAGS;
    }
    int end = bodyOffset + bodyBytes;
    int countAt = end - BatchTable.COUNT_BYTES;
    int count = countAt < bodyOffset ? 0 : Short.toUnsignedInt(buffer.getShort(countAt));
    int table = end - BatchTable.bytes(count);
    if (count == 0 || count > BatchTable.MAX_MESSAGES || table < bodyOffset) {
      return Violation.BATCH_TABLE;
    }
    messagesLeft = count;
    nextMessage = bodyOffset;
    nextLength = table;
    messagesEnd = table;
    return null;
  }

  /** Returns the number of messages in the frame; of a batch those that {@link #nextMessage} has not reached. */
  public int messagesLeft() {
    return type() == FrameType.BATCH ? messagesLeft : 1;
  }

  /**
   * Moves to the next message of a batch, which {@link #body} then returns.
   *
   * @return false without another message, and if the next one is not within the frame, in which case {@link
   *     #messagesLeft} is not 0
   */
  public boolean nextMessage() {
    if (messagesLeft == 0) {
      return false;
    }
    int bytes = Short.toUnsignedInt(buffer.getShort(nextLength));
    if (bytes > messagesEnd - nextMessage) {
      return false;
    }
    bodyOffset = nextMessage;
    bodyBytes = bytes;
    nextMessage += BatchTable.paddedBytes(bytes);
    nextLength += BatchTable.ENTRY_BYTES;
    messagesLeft--;
    return true;
  }

  /** Returns a type of {@link FrameType}, or an unknown type to skip. */
  public int type() {
    return FrameHeader.type(word);
  }

  /** Returns the set of {@link FrameFlags}. */
  public int flags() {
    return FrameHeader.flags(word);
  }

  /** Whether {@code flag} of {@link FrameFlags} is set. */
  public boolean has(int flag) {
    return (FrameHeader.flags(word) & flag) != 0;
  }

  /** Returns the packet sequence number, without meaning unless {@link FrameType#sequenced}. */
  public long psn() {
    return psn;
  }

  /** Returns the stream or exchange, 0 without one. */
  public long streamId() {
    return streamId;
  }

  /** Returns the stream sequence; its meaning depends on the type. */
  public long streamSeq() {
    return streamSeq;
  }

  /** Valid with {@link FrameFlags#PIGGYBACK}, otherwise 0. */
  public long creditPosition() {
    return has(FrameFlags.PIGGYBACK) ? creditPosition : 0;
  }

  /** Valid with {@link FrameFlags#PIGGYBACK}, otherwise 0. */
  public long ackPsn() {
    return has(FrameFlags.PIGGYBACK) ? ackPsn : 0;
  }

  /** Returns the remaining nanoseconds to live, 0 without limit. */
  public long timeToLiveNanos() {
    return has(FrameFlags.TIME_TO_LIVE) ? timeToLiveNanos : 0;
  }

  /** Returns the index in {@link #buffer} for {@link Metadata#decode}. */
  public int metadataOffset() {
    return has(FrameFlags.METADATA) ? metadataOffset : offset;
  }

  /** Returns the size of the metadata, 0 without any. */
  public int metadataBytes() {
    return has(FrameFlags.METADATA) ? metadataBytes : 0;
  }

  /** Returns the ring of the frame; the body of a rendezvous message is elsewhere. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /**
   * Returns the view for decoders, little-endian, with position and limit around the body. Valid until the next call
   * of this method or {@link #metadata}.
   */
  public ByteBuffer body() {
    return around(payload == null ? view : payload, bodyOffset, bodyBytes);
  }

  /** Like {@link #body}, for {@link Metadata#decode}. */
  public ByteBuffer metadata() {
    return around(view, metadataOffset(), metadataBytes());
  }

  private static ByteBuffer around(ByteBuffer view, int start, int bytes) {
    return view.order(ByteOrder.LITTLE_ENDIAN).limit(start + bytes).position(start);
  }

  /** Returns the index of the body in {@link #buffer}, or in the memory of the rendezvous. */
  public int bodyOffset() {
    return bodyOffset;
  }

  /** Returns the size of the body, 0 without one or after a violation. */
  public int bodyBytes() {
    return bodyBytes;
  }

  /** Returns the index of the frame in {@link #buffer}. */
  public int offset() {
    return offset;
  }

  /** Returns the validated publish word. */
  public long word() {
    return word;
  }

  /** Returns the size of the frame without slot padding. */
  public int lengthBytes() {
    return FrameHeader.lengthBytes(word);
  }
}
