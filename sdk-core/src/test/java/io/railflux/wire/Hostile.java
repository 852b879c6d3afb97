package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/**
 * Decodes arbitrary bytes. The decoder must return a value or a violation. The result must not depend on bytes outside
 * of the message, so each decoder runs twice with different surroundings.
 */
public final class Hostile {
  private static final int MARGIN = 64;

  private Hostile() {}

  /** A decoder under test. */
  public interface Decoder<T> {
    T decode(ByteBuffer source) throws MalformedFrameException;
  }

  public static void decode(byte[] bytes, Decoder<?> decoder) {
    Object first = outcome(bytes, (byte) 0x00, decoder);
    Object second = outcome(bytes, (byte) 0x41, decoder);

    assertEquals(first, second, "the outcome depends on bytes outside of the message");
  }

  /** Returns the value, or null for malformed bytes. Any other exception fails the test. */
  private static Object outcome(byte[] bytes, byte surroundings, Decoder<?> decoder) {
    byte[] array = new byte[bytes.length + 2 * MARGIN];
    Arrays.fill(array, surroundings);
    System.arraycopy(bytes, 0, array, MARGIN, bytes.length);
    ByteBuffer source = ByteBuffer.wrap(array).limit(MARGIN + bytes.length).position(MARGIN);
    try {
      Object value = Objects.requireNonNull(decoder.decode(source));
      assertTrue(source.position() >= MARGIN && source.limit() == MARGIN + bytes.length);
      return value;
    } catch (MalformedFrameException e) {
      assertTrue(e.getMessage() != null && !e.getMessage().isBlank());
      return null;
    }
  }

  /**
   * Reads {@code bytes} as a frame. Body and metadata of an accepted frame lie within the frame, and the frame lies
   * within the bytes.
   */
  static void readFrame(byte[] bytes) {
    if (bytes.length < Long.BYTES) {
      return;
    }
    assertEquals(
        frameOutcome(bytes, (byte) 0x00),
        frameOutcome(bytes, (byte) 0x41),
        "the outcome depends on bytes outside of the frame");
  }

  private static List<Object> frameOutcome(byte[] bytes, byte surroundings) {
    ByteBuffer ring = WireBytes.ring((bytes.length + 63 & -64) + 2 * MARGIN);
    for (int i = 0; i < ring.capacity(); i++) {
      ring.put(i, surroundings);
    }
    ring.put(MARGIN, bytes);
    ReceivedFrame frame = new ReceivedFrame();
    long word = FrameHeader.peek(ring, MARGIN);
    Violation violation = frame.read(ring, MARGIN, word, bytes.length);
    if (violation != null) {
      assertEquals(0, frame.bodyBytes());
      return List.of(violation);
    }
    checkBounds(frame, bytes.length);
    int whole = frame.bodyBytes();
    return List.of(
        messages(frame),
        frame.type(),
        frame.flags(),
        List.of(frame.psn(), frame.streamId(), frame.streamSeq()),
        List.of(frame.creditPosition(), frame.ackPsn(), frame.timeToLiveNanos()),
        List.of(frame.metadataOffset(), frame.metadataBytes()),
        List.of(whole, frame.lengthBytes()));
  }

  /** Returns the sizes of the messages of a batch. Each message lies between header and table. */
  private static List<Integer> messages(ReceivedFrame frame) {
    List<Integer> sizes = new ArrayList<>();
    if (frame.type() != FrameType.BATCH) {
      return sizes;
    }
    int count = frame.messagesLeft();
    int first = frame.bodyOffset();
    int table = first + frame.bodyBytes() - BatchTable.bytes(count);
    assertTrue(count > 0 && table >= first);
    while (frame.nextMessage()) {
      assertTrue(frame.bodyOffset() >= first && frame.bodyOffset() + frame.bodyBytes() <= table);
      sizes.add(frame.bodyBytes());
    }
    assertEquals(count, sizes.size() + frame.messagesLeft());
    return sizes;
  }

  private static void checkBounds(ReceivedFrame frame, int availableBytes) {
    assertTrue(frame.lengthBytes() > 0 && frame.lengthBytes() <= availableBytes);
    int frameEnd = MARGIN + frame.lengthBytes();
    assertTrue(frame.metadataOffset() >= MARGIN && frame.metadataBytes() >= 0);
    assertTrue(frame.metadataBytes() <= Metadata.MAX_BYTES);
    if (frame.type() == FrameType.PADDING) {
      assertEquals(0, frame.bodyBytes());
      return;
    }
    assertTrue(frame.metadataOffset() + frame.metadataBytes() <= frame.bodyOffset());
    assertTrue(frame.bodyOffset() >= MARGIN + FrameHeader.BYTES && frame.bodyBytes() >= 0);
    assertEquals(frameEnd, frame.bodyOffset() + frame.bodyBytes());
    assertTrue(frame.has(FrameFlags.TIME_TO_LIVE) == frame.timeToLiveNanos() > 0);
    assertTrue(FrameType.known(frame.type()) || frame.has(FrameFlags.SKIPPABLE));
  }
}
