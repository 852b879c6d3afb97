package io.railflux.wire;

import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.HandshakeHeader;
import io.railflux.wire.handshake.HandshakeSeeds;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Proof;
import io.railflux.wire.handshake.RedialRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.constraints.Size;

/** Arbitrary and slightly damaged bytes against every decoder. See {@link Hostile}. */
class HostileBytesTest {
  private static final List<Hostile.Decoder<?>> DECODERS = List.of(
      OpenFrame::decode,
      RejectFrame::decode,
      ErrorFrame::decode,
      GoodbyeFrame::decode,
      AddressesFrame::decode,
      ResumeInfo::decode,
      RendezvousStart::decode,
      RendezvousReply::decode,
      RendezvousFin::decode,
      RendezvousDone::decode,
      Hello::decode,
      HelloReject::decode,
      RedialRequest::decode,
      source -> Proof.decode(source, HandshakeHeader.PROOF),
      source -> Proof.decode(source, HandshakeHeader.JOINED),
      Grant::decode,
      Metadata::decode,
      HandshakeHeader::messageType);

  @Property(tries = 500)
  void arbitraryBytes(@ForAll @Size(max = 200) byte[] bytes) {
    for (Hostile.Decoder<?> decoder : DECODERS) {
      Hostile.decode(bytes, decoder);
    }
  }

  /** Random bytes rarely pass the first check. Valid messages with a few changed bytes do. */
  @Property(tries = 1000)
  void damagedMessages(@ForAll("damaged") byte[] bytes) {
    for (Hostile.Decoder<?> decoder : DECODERS) {
      Hostile.decode(bytes, decoder);
    }
  }

  @Property(tries = 500)
  void arbitraryFrames(@ForAll @Size(min = 8, max = 200) byte[] bytes) {
    Hostile.readFrame(bytes);
  }

  @Property(tries = 3000)
  void plausibleFrames(@ForAll("words") long word, @ForAll @Size(min = 8, max = 300) byte[] bytes) {
    Fields.LONG.set(ByteBuffer.wrap(bytes), 0, word);
    Hostile.readFrame(bytes);
  }

  @Provide
  Arbitrary<byte[]> damaged() {
    Arbitrary<byte[]> valid = Arbitraries.of(Stream.of(Seeds.all(), HandshakeSeeds.all())
        .flatMap(List::stream)
        .map(WireBytes::bytes)
        .toArray(byte[][]::new));
    // Most messages stay complete, so that changes deep inside are reached.
    Arbitrary<Integer> cuts = Arbitraries.frequencyOf(
        Tuple.of(3, Arbitraries.just(0)), Tuple.of(1, Arbitraries.integers().between(1, 40)));
    Arbitrary<List<Integer>> changes =
        Arbitraries.integers().between(0, 0xFFFFFF).list().ofMaxSize(3);
    return Combinators.combine(valid, cuts, changes).as(HostileBytesTest::damage);
  }

  @Provide
  Arbitrary<Long> words() {
    return Combinators.combine(
            Arbitraries.integers().between(0, 320),
            Arbitraries.integers().between(0, 16),
            Arbitraries.integers().between(0, 255),
            Arbitraries.integers().between(0, 42))
        .as((length, type, flags, words) -> FrameHeader.word(length, type, flags, 8 * words));
  }

  private static byte[] damage(byte[] valid, int cut, List<Integer> changes) {
    byte[] bytes = Arrays.copyOf(valid, Math.max(0, valid.length - cut));
    for (int change : changes) {
      if (bytes.length > 0) {
        bytes[(change >>> 8) % bytes.length] = (byte) change;
      }
    }
    return bytes;
  }
}
