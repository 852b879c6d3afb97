package io.railflux.fabric.verbs.connect;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * The private data of REQ and REP. It identifies an endpoint of this fabric and contains the largest fragment that the
 * endpoint receives. The padding of the connection manager is ignored.
 *
 * <pre>
 *     0              4        6        8              12             16
 *    +--------------+--------+--------+--------------+--------------+
 *    | magic "RFVB" | version| lowest | fragment     | process id   |
 *    +--------------+--------+--------+--------------+--------------+
 * </pre>
 *
 * Little-endian. The endpoint supports the versions from {@code lowest} to {@code version}.
 *
 * @param fragmentBytes size of each receive that this side posts
 * @param processId process number of this side, for log messages
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
   * @throws IOException if the peer is no endpoint of this fabric, or supports no common version
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
      throw new IOException("one node supports version " + VERSION
          + " of the verbs fabric, the other node versions " + lowest + " to " + version);
    }
    return greeting;
  }
}
