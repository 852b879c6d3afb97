package io.railflux.fabric.verbs.connect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The private data of REQ and REP: this is such an endpoint, and how much a send of it may carry. What
 * the connection manager pads it with is skipped.
 *
 * <pre>
 *     0              4        6        8              12             16
 *    +--------------+--------+--------+--------------+--------------+
 *    | magic "RFVB" | version| lowest | fragment     | process id   |
 *    +--------------+--------+--------+--------------+--------------+
 * </pre>
 *
 * Little-endian. {@code version} is spoken, down to {@code lowest}.
 *
 * @param fragmentBytes room in each of the receives this side posts
 * @param processId of this side, for messages to people
 */
public record Greeting(int version, int lowest, int fragmentBytes, int processId) {

  static final int BYTES = 16;
  static final int VERSION = 1;

  private static final int MAGIC = 'R' | 'F' << 8 | 'V' << 16 | 'B' << 24;
  private static final int MIN_FRAGMENT = 64;

  public static Greeting own(int fragmentBytes) {
    int pid = (int) ProcessHandle.current().pid();
    return new Greeting(VERSION, VERSION, fragmentBytes, pid);
  }

  public ByteBuffer encode() {
    return ByteBuffer.allocate(BYTES)
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MAGIC)
        .putShort((short) version)
        .putShort((short) lowest)
        .putInt(fragmentBytes)
        .putInt(processId)
        .flip();
  }

  /**
   * Reads the greeting of the peer.
   *
   * @throws IOException when the peer is something else, or of no version known here
   */
  public static Greeting decode(ByteBuffer data) throws IOException {
    if (data.remaining() < BYTES) {
      throw new IOException(
          "the other side is no Railflux node: it sent " + data.remaining() + " bytes");
    }
    ByteBuffer in = data.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    if (in.getInt() != MAGIC) {
      throw new IOException("the other side is no Railflux node");
    }
    int version = Short.toUnsignedInt(in.getShort());
    int lowest = Short.toUnsignedInt(in.getShort());
    Greeting greeting = new Greeting(version, lowest, in.getInt(), in.getInt());
    if (version < VERSION || lowest > VERSION || greeting.fragmentBytes < MIN_FRAGMENT) {
      throw new IOException("this node speaks version " + VERSION
          + " of the verbs fabric, the other side versions " + lowest + " to " + version);
    }
    return greeting;
  }
}
