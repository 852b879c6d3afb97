package io.railflux.wire.handshake;

import io.railflux.wire.Fields;
import io.railflux.wire.MalformedFrameException;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * First message on an endpoint that the acceptor of the session connected, to restore a lost subchannel (FT4: V
 * 10.3.3). The connector of the session replies with a {@link Hello}, as if it had connected the endpoint, or
 * closes it.
 *
 * <pre>
 *      0       4      5          6            8            10
 *     +-------+------+----------+------------+------------+
 *   0 | magic | 5    | reserved | versionMin | versionMax |
 *     +-------+------+----------+------------+------------+
 *  10 | int64 incarnationHigh, incarnationLow  the sender's|
 *  26 | int32 epoch            30 | int32 subchannel       |
 *  34 | int64 firstPsn                                     |
 *     +---------------------------------------------------+
 *  42 | appended by later versions: ignored               |
 *     +---------------------------------------------------+
 * </pre>
 *
 * @param epoch of the session, as in the {@link Hello} that began it
 * @param subchannel the lost subchannel
 * @param firstPsn first PSN of the connector in its {@link Hello}, which third parties do not know
 */
public record RedialRequest(
    Versions versions,
    long incarnationHigh,
    long incarnationLow,
    int epoch,
    int subchannel,
    long firstPsn) {

  /** Size of the encoded message. */
  public static final int BYTES = 42;

  /** Refuses negative numbers. */
  public RedialRequest {
    Objects.requireNonNull(versions, "versions");
    Fields.requireUnsigned("epoch", epoch, Integer.MAX_VALUE);
    Fields.requireUnsigned("subchannel", subchannel, Integer.MAX_VALUE);
  }

  /** Writes the message at the position. */
  public void encode(ByteBuffer target) {
    HandshakeHeader.putStart(target, HandshakeHeader.REDIAL_REQUEST, versions);
    Fields.putLong(target, incarnationHigh);
    Fields.putLong(target, incarnationLow);
    Fields.putInt(target, epoch);
    Fields.putInt(target, subchannel);
    Fields.putLong(target, firstPsn);
  }

  /** Reads the message between position and limit. */
  public static RedialRequest decode(ByteBuffer source) throws MalformedFrameException {
    Versions versions = HandshakeHeader.takeStart(source, HandshakeHeader.REDIAL_REQUEST);
    long high = Fields.getLong(source);
    long low = Fields.getLong(source);
    int epoch = Fields.getInt(source);
    int subchannel = Fields.getInt(source);
    long firstPsn = Fields.getLong(source);
    try {
      return new RedialRequest(versions, high, low, epoch, subchannel, firstPsn);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException("REDIAL_REQUEST: " + e.getMessage(), e);
    }
  }
}
