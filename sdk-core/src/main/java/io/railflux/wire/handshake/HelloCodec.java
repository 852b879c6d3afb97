package io.railflux.wire.handshake;

import io.railflux.wire.Fields;
import io.railflux.wire.MalformedFrameException;
import io.railflux.wire.ResumeInfo;
import io.railflux.wire.Strings;
import java.nio.ByteBuffer;

/** Encodes and decodes {@link Hello}, whose diagram defines the layout. */
final class HelloCodec {
  private HelloCodec() {}

  static void encode(Hello hello, ByteBuffer target) {
    HandshakeHeader.putStart(target, HandshakeHeader.HELLO, hello.versions());
    Fields.putShort(target, Hello.FIXED_BYTES);
    Fields.putLong(target, hello.features());
    Hello.Identity identity = hello.identity();
    Fields.putLong(target, identity.incarnationHigh());
    Fields.putLong(target, identity.incarnationLow());
    Fields.putLong(target, identity.expectedHigh());
    Fields.putLong(target, identity.expectedLow());
    Fields.putInt(target, hello.attempt().epoch());
    Fields.putInt(target, hello.attempt().subchannel());
    Fields.putLong(target, hello.attempt().firstPsn());
    putLimits(hello.limits(), target);
    hello.authentication().encode(target);
    Strings.encode(target, identity.nodeName(), Strings.MAX_NAME_BYTES);
    Fields.putByte(target, hello.resume() == null ? 0 : 1);
    if (hello.resume() != null) {
      hello.resume().encode(target);
    }
  }

  private static void putLimits(Hello.Limits limits, ByteBuffer target) {
    Fields.putInt(target, limits.reorderWindow());
    Fields.putInt(target, limits.maxMessageBytes());
    Fields.putInt(target, limits.maxStreams());
    Fields.putInt(target, limits.maxExchanges());
  }

  static Hello decode(ByteBuffer source) throws MalformedFrameException {
    int start = source.position();
    Versions versions = HandshakeHeader.takeStart(source, HandshakeHeader.HELLO);
    int headerBytes = Fields.unsignedShort(source);
    if (headerBytes < Hello.FIXED_BYTES) {
      throw new MalformedFrameException("HELLO with a fixed part of " + headerBytes + " bytes");
    }
    try {
      return decodeFields(source, start + headerBytes, versions);
    } catch (IllegalArgumentException e) {
      throw new MalformedFrameException("HELLO: " + e.getMessage(), e);
    }
  }

  private static Hello decodeFields(ByteBuffer source, int fixedEnd, Versions versions)
      throws MalformedFrameException {
    long features = Fields.getLong(source);
    long incarnationHigh = Fields.getLong(source);
    long incarnationLow = Fields.getLong(source);
    long expectedHigh = Fields.getLong(source);
    long expectedLow = Fields.getLong(source);
    int epoch = Fields.getInt(source);
    int subchannel = Fields.getInt(source);
    Hello.Attempt attempt = new Hello.Attempt(epoch, subchannel, Fields.getLong(source));
    Hello.Limits limits = takeLimits(source);
    Authentication authentication = Authentication.decode(source);
    Fields.take(source, fixedEnd - source.position());
    String nodeName = Strings.decode(source, Strings.MAX_NAME_BYTES);
    Hello.Identity identity =
        new Hello.Identity(incarnationHigh, incarnationLow, expectedHigh, expectedLow, nodeName);
    ResumeInfo resume = takeResume(source);
    return new Hello(versions, features, identity, attempt, limits, authentication, resume);
  }

  private static Hello.Limits takeLimits(ByteBuffer source) throws MalformedFrameException {
    int reorderWindow = Fields.getInt(source);
    int maxMessageBytes = Fields.getInt(source);
    int maxStreams = Fields.getInt(source);
    return new Hello.Limits(reorderWindow, maxMessageBytes, maxStreams, Fields.getInt(source));
  }

  private static ResumeInfo takeResume(ByteBuffer source) throws MalformedFrameException {
    int hasResume = Fields.unsignedByte(source);
    if (hasResume > 1) {
      throw new MalformedFrameException("hasResume must be 0 or 1, was " + hasResume);
    }
    return hasResume == 1 ? ResumeInfo.decode(source) : null;
  }
}
