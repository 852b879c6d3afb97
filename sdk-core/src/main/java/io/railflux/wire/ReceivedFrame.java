package io.railflux.wire;

import io.railflux.buffer.PooledBuffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * One received frame, see {@link FrameHeader}. Reusable; it allocates nothing.
 *
 * <p>The sender may still change the memory of a ring, by malice or by a late write. So every
 * header field is copied once, the copy is validated, and the accessors tell the copy. Metadata and
 * body stay in the ring: their decoders treat every byte as hostile.
 */
public final class ReceivedFrame {

  private static final int LOOKED_AT = FrameHeader.EXTENSIONS | FrameFlags.TAG;

  /** Nothing read yet. */
  public ReceivedFrame() {}

  private ByteBuffer buffer;
  private ByteBuffer view;
  private int offset;
  private long word;
  private long psn;
  private long streamId;
  private long streamSeq;

  // Of the extensions that the flags tell; left as they were without.
  private long creditPosition;
  private long ackPsn;
  private long timeToLiveNanos;
  private int metadataOffset;
  private int metadataBytes;

  private int bodyOffset;
  private int bodyBytes;

  // Of a message that came by rendezvous, whose body lies elsewhere; null otherwise.
  private ByteBuffer payload;
  private PooledBuffer payloadOwner;
  private boolean payloadInPlace;

  // Of a batch: what nextMessage has not come to yet.
  private int messagesLeft;
  private int nextMessage;
  private int nextLength;
  private int messagesEnd;

  /**
   * Reads the frame at {@code offset} whose publish word was peeked as {@code word}.
   *
   * @param availableBytes what may be read from {@code offset} on: at most the rest of the ring
   * @return null when valid, and then body and metadata lie within the frame and the frame within
   *     {@code availableBytes}. An unknown type is valid when marked as skippable.
   */
  public Violation read(ByteBuffer ring, int offset, long word, int availableBytes) {
    return read(ring, ring, offset, word, availableBytes);
  }

  /** As the other, with another {@code view} of the same memory for decoders. */
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
    // All frames of a ring have the same; to store a reference costs more than to look.
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
   * Lets the frame that announced a rendezvous stand for the message itself, as a frame of {@code type}
   * with the same header and metadata.
   *
   * @param memory what came: its memory from 0 on is the body, of {@code lengthBytes}
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
   * As {@link #carry}, for a message that lies in memory of its sender.
   *
   * @param view the message, all of it; read while the frame is delivered and not afterwards
   * @param memory it is copied to for who wants to keep it
   */
  public void carryInPlace(int type, ByteBuffer view, PooledBuffer memory) {
    carry(type, memory, view.capacity());
    payload = view.asReadOnlyBuffer();
    payloadInPlace = true;
  }

  /**
   * Hands over the memory of a message that came by rendezvous, once: who takes it releases it. Null for
   * every other message.
   */
  public PooledBuffer takePayload() {
    PooledBuffer taken = payloadOwner;
    if (taken != null && payloadInPlace) {
      taken.memory().put(0, payload, 0, bodyBytes);
    }
    payloadOwner = null;
    return taken;
  }

  /** Whoever delivered a message that came by rendezvous says so; returns whether its memory was taken. */
  public boolean forgetPayload() {
    boolean taken = payloadOwner == null;
    payloadOwner = null;
    return taken;
  }

  private Violation readPadding(int availableBytes) {
    int lengthBytes = lengthBytes();
    if (lengthBytes <= 0 || lengthBytes > availableBytes) {
      return Violation.LENGTH_OUT_OF_RANGE;
    }
    // Only the publish word of a padding frame is written; whatever follows is an older frame.
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

  /** Messages the frame holds, if it holds such: what {@link #nextMessage} has not come to yet of a batch. */
  public int messagesLeft() {
    return type() == FrameType.BATCH ? messagesLeft : 1;
  }

  /**
   * Moves on to the next message of a batch, which {@link #body} then tells.
   *
   * @return false when it has no more; also when the next does not lie within the frame, and then
   *     there are {@link #messagesLeft}
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

  /** One of {@link FrameType}, or an unknown type to skip. */
  public int type() {
    return FrameHeader.type(word);
  }

  /** The set of {@link FrameFlags}. */
  public int flags() {
    return FrameHeader.flags(word);
  }

  /** Whether {@code flag} of {@link FrameFlags} is set. */
  public boolean has(int flag) {
    return (FrameHeader.flags(word) & flag) != 0;
  }

  /** Packet sequence number; meaningless unless {@link FrameType#sequenced}. */
  public long psn() {
    return psn;
  }

  /** The stream or exchange, 0 when none. */
  public long streamId() {
    return streamId;
  }

  /** Meaning by type. */
  public long streamSeq() {
    return streamSeq;
  }

  /** Valid with {@link FrameFlags#PIGGYBACK}, else 0. */
  public long creditPosition() {
    return has(FrameFlags.PIGGYBACK) ? creditPosition : 0;
  }

  /** Valid with {@link FrameFlags#PIGGYBACK}, else 0. */
  public long ackPsn() {
    return has(FrameFlags.PIGGYBACK) ? ackPsn : 0;
  }

  /** Nanoseconds left to live, 0 when there is no limit. */
  public long timeToLiveNanos() {
    return has(FrameFlags.TIME_TO_LIVE) ? timeToLiveNanos : 0;
  }

  /** Index in {@link #buffer} of what {@link Metadata#decode} reads. */
  public int metadataOffset() {
    return has(FrameFlags.METADATA) ? metadataOffset : offset;
  }

  /** Size of the metadata, 0 when none. */
  public int metadataBytes() {
    return has(FrameFlags.METADATA) ? metadataBytes : 0;
  }

  /** The ring the frame lies in; the body of a message that came by rendezvous does not. */
  public ByteBuffer buffer() {
    return buffer;
  }

  /**
   * The view that decoders get, little-endian, position and limit around the body: whatever one did to
   * it before. Until the next call of this or {@link #metadata}.
   */
  public ByteBuffer body() {
    return around(payload == null ? view : payload, bodyOffset, bodyBytes);
  }

  /** As {@link #body}, around what {@link Metadata#decode} reads. */
  public ByteBuffer metadata() {
    return around(view, metadataOffset(), metadataBytes());
  }

  private static ByteBuffer around(ByteBuffer view, int start, int bytes) {
    return view.order(ByteOrder.LITTLE_ENDIAN).limit(start + bytes).position(start);
  }

  /** Index of the body in {@link #buffer}, or in what came by rendezvous. */
  public int bodyOffset() {
    return bodyOffset;
  }

  /** Size of the body, 0 when none or after a violation. */
  public int bodyBytes() {
    return bodyBytes;
  }

  /** Index of the frame in {@link #buffer}. */
  public int offset() {
    return offset;
  }

  /** The publish word that was validated. */
  public long word() {
    return word;
  }

  /** Size of the frame without slot padding. */
  public int lengthBytes() {
    return FrameHeader.lengthBytes(word);
  }
}
