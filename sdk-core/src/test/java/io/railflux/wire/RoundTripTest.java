package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.wire.handshake.Authentication;
import io.railflux.wire.handshake.Bits256;
import io.railflux.wire.handshake.Grant;
import io.railflux.wire.handshake.HandshakeHeader;
import io.railflux.wire.handshake.Hello;
import io.railflux.wire.handshake.HelloReject;
import io.railflux.wire.handshake.Proof;
import io.railflux.wire.handshake.RedialRequest;
import io.railflux.wire.handshake.Versions;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Every encoded value decodes to an equal value and uses the declared number of bytes. */
class RoundTripTest {
  private static final int TRIES = 200;

  @Property(tries = TRIES)
  void publishWord(
      @ForAll @IntRange(min = 1) int lengthBytes,
      @ForAll @IntRange(max = 255) int type,
      @ForAll @IntRange(max = 255) int flags,
      @ForAll @IntRange(max = 65535) int headerBytes) {
    long word = FrameHeader.word(lengthBytes, type, flags, headerBytes);

    assertNotEquals(0, word, "0 means absent");
    assertEquals(lengthBytes, FrameHeader.lengthBytes(word));
    assertEquals(type, FrameHeader.type(word));
    assertEquals(flags, FrameHeader.flags(word));
    assertEquals(headerBytes, FrameHeader.headerBytes(word));
  }

  @Property(tries = TRIES)
  void open(@ForAll("opens") OpenFrame open) throws MalformedFrameException {
    assertEquals(open, OpenFrame.decode(bytes(open.encodedBytes(), open::encode)));
  }

  @Property(tries = TRIES)
  void rendezvousStart(
      @ForAll long transfer,
      @ForAll @IntRange int lengthBytes,
      @ForAll @IntRange(max = Integer.MAX_VALUE - 1) int more,
      @ForAll @IntRange(min = -1) int subchannel,
      @ForAll @IntRange(max = 1) int kind)
      throws MalformedFrameException {
    int offset = Math.min(more, Integer.MAX_VALUE - lengthBytes);
    Region region = new Region(transfer + 1, lengthBytes + offset, offset);
    RendezvousStart start =
        RendezvousStart.readable(transfer, lengthBytes, subchannel, region, kind);
    assertEquals(start, RendezvousStart.decode(bytes(start.encodedBytes(), start::encode)));
  }

  @Property(tries = TRIES)
  void rendezvousStartOfStripes(
      @ForAll @Size(min = 1, max = RendezvousStart.MAX_STRIPES)
          List<@IntRange(min = 1, max = 1 << 25) Integer> lengths)
      throws MalformedFrameException {
    List<RendezvousStart.Stripe> stripes = new ArrayList<>();
    int lengthBytes = 0;
    for (int length : lengths) {
      stripes.add(new RendezvousStart.Stripe(stripes.size() * 7, length));
      lengthBytes += length;
    }
    RendezvousStart start =
        RendezvousStart.notReadable(1, lengthBytes, RendezvousStart.MESSAGE, stripes);
    assertEquals(start, RendezvousStart.decode(bytes(start.encodedBytes(), start::encode)));
  }

  /** Stripes cover the whole message for any lengths, and only the written part. */
  @Property(tries = TRIES)
  void rendezvousStartCoversItsStripes(
      @ForAll @IntRange int lengthBytes,
      @ForAll @IntRange(min = 1) int first,
      @ForAll @IntRange(min = 1) int second,
      @ForAll boolean readable) {
    var stripes =
        List.of(new RendezvousStart.Stripe(0, first), new RendezvousStart.Stripe(1, second));
    boolean whole = !readable && (long) first + second == lengthBytes;
    Region region = new Region(1, lengthBytes, 0);
    try {
      new RendezvousStart(
          1, lengthBytes, readable ? 0 : RendezvousStart.NOT_READABLE, region, 0, stripes);
      assertTrue(whole);
    } catch (IllegalArgumentException e) {
      assertFalse(whole);
    }
  }

  /** The readable part never exceeds its region for any numbers. */
  @Property(tries = TRIES)
  void rendezvousStartWithinItsRegion(
      @ForAll @IntRange int lengthBytes, @ForAll int bytes, @ForAll int offset) {
    Region region = new Region(1, bytes, offset);
    boolean within = bytes >= 0 && offset >= 0 && (long) offset + lengthBytes <= bytes;
    try {
      RendezvousStart.readable(1, lengthBytes, 0, region, RendezvousStart.MESSAGE);
      assertTrue(within);
    } catch (IllegalArgumentException e) {
      assertFalse(within);
    }
  }

  /** A portion never exceeds its region for any numbers. */
  @Property(tries = TRIES)
  void rendezvousReply(
      @ForAll int bytes, @ForAll int offset, @ForAll int dataOffset, @ForAll int lengthBytes)
      throws MalformedFrameException {
    Region region = new Region(1, bytes, offset);
    try {
      RendezvousReply reply = new RendezvousReply(1, 2, region, dataOffset, lengthBytes);
      assertEquals(reply, RendezvousReply.decode(bytes(RendezvousReply.BYTES, reply::encode)));
    } catch (IllegalArgumentException e) {
      assertTrue(bytes < 0
          || offset < 0
          || dataOffset < 0
          || lengthBytes < 1
          || (long) offset + lengthBytes > bytes);
    }
  }

  @Property(tries = TRIES)
  void reject(@ForAll("names") String text) throws MalformedFrameException {
    RejectFrame reject = new RejectFrame(text.length(), text);
    assertEquals(reject, RejectFrame.decode(bytes(reject.encodedBytes(), reject::encode)));
  }

  @Property(tries = TRIES)
  void error(
      @ForAll("names") String name, @ForAll("names") String message, @ForAll("names") String origin)
      throws MalformedFrameException {
    ErrorFrame error = new ErrorFrame(name, message, origin);
    assertEquals(error, ErrorFrame.decode(bytes(error.encodedBytes(), error::encode)));
  }

  @Property(tries = TRIES)
  void goodbye(@ForAll("names") String text) throws MalformedFrameException {
    GoodbyeFrame goodbye = new GoodbyeFrame(text);
    assertEquals(goodbye, GoodbyeFrame.decode(bytes(goodbye.encodedBytes(), goodbye::encode)));
  }

  @Property(tries = TRIES)
  void addresses(
      @ForAll @IntRange(max = 0xFFFF) int port, @ForAll @Size(max = 32) List<@Size(4) byte[]> few)
      throws Exception {
    List<InetAddress> all = new ArrayList<>();
    for (byte[] address : few) {
      all.add(InetAddress.getByAddress(address));
    }
    AddressesFrame addresses = new AddressesFrame(port, all);
    assertEquals(
        addresses, AddressesFrame.decode(bytes(addresses.encodedBytes(), addresses::encode)));
  }

  /** Texts of any length and content arrive complete or truncated. */
  @Property(tries = TRIES)
  void longTextsAreTruncated(@ForAll("texts") String text) throws MalformedFrameException {
    GoodbyeFrame goodbye = new GoodbyeFrame(text);
    String arrived =
        GoodbyeFrame.decode(bytes(goodbye.encodedBytes(), goodbye::encode)).text();

    // An unpaired surrogate has no UTF-8 encoding and is sent as a question mark.
    String sent = new String(WireBytes.utf8(goodbye.text()), StandardCharsets.UTF_8);
    int arrivedBytes = WireBytes.utf8(arrived).length;
    assertTrue(sent.startsWith(arrived));
    if (WireBytes.utf8(sent).length <= Strings.MAX_TEXT_BYTES) {
      assertEquals(sent, arrived);
    } else {
      assertTrue(arrivedBytes <= Strings.MAX_TEXT_BYTES);
      assertTrue(arrivedBytes > Strings.MAX_TEXT_BYTES - 4, "at most one code point is lost");
    }
  }

  @Property(tries = TRIES)
  void resume(@ForAll("resumes") ResumeInfo resume) throws MalformedFrameException {
    assertEquals(resume, ResumeInfo.decode(bytes(resume.encodedBytes(), resume::encode)));
  }

  @Property(tries = TRIES)
  void hello(@ForAll("hellos") Hello hello) throws MalformedFrameException {
    assertEquals(hello, Hello.decode(bytes(hello.encodedBytes(), hello::encode)));
  }

  @Property(tries = TRIES)
  void helloReject(@ForAll("versions") Versions versions, @ForAll("names") String text)
      throws MalformedFrameException {
    HelloReject reject = new HelloReject(versions, text.length(), text);
    assertEquals(reject, HelloReject.decode(bytes(reject.encodedBytes(), reject::encode)));
  }

  @Property(tries = TRIES)
  void redialRequest(
      @ForAll("versions") Versions versions,
      @ForAll @IntRange(max = Integer.MAX_VALUE) int number,
      @ForAll long random)
      throws MalformedFrameException {
    RedialRequest request =
        new RedialRequest(versions, random, ~random, number, number / 3, random * 31);
    assertEquals(request, RedialRequest.decode(bytes(RedialRequest.BYTES, request::encode)));
  }

  @Property(tries = TRIES)
  void grant(@ForAll @IntRange(max = 1 << 24) int slots, @ForAll("bits") Bits256 bits)
      throws MalformedFrameException {
    Grant grant = new Grant(bits.first(), slots << 6, bits.second(), slots, bits);
    assertEquals(grant, Grant.decode(bytes(Grant.BYTES, grant::encode)));
  }

  @Property(tries = TRIES)
  void proof(@ForAll @Size(max = 200) byte[] payload, @ForAll("bits") Bits256 bits)
      throws MalformedFrameException {
    Proof proof = new Proof(HandshakeHeader.PROOF, bits, payload);
    ByteBuffer encoded = bytes(44 + payload.length, proof::encode);
    assertEquals(proof, Proof.decode(encoded, HandshakeHeader.PROOF));
  }

  @Property(tries = TRIES)
  void bitsAndTheirBytes(@ForAll("bits") Bits256 bits) {
    assertEquals(bits, Bits256.of(bits.bytes()));
    assertTrue(bits.matches(Bits256.of(bits.bytes())));
    ByteBuffer odd = ByteBuffer.allocate(40);
    bits.put(odd, 3);
    assertEquals(bits, Bits256.get(odd, 3));
    assertEquals(bits.equals(Bits256.ZERO), bits.matches(Bits256.ZERO));
  }

  @Provide
  Arbitrary<Bits256> bits() {
    Arbitrary<Long> longs = Arbitraries.longs();
    return Combinators.combine(longs, longs, longs, longs).as(Bits256::new);
  }

  @Property(tries = TRIES)
  void metadata(@ForAll("entries") List<Metadata.Entry> entries) throws MalformedFrameException {
    ByteBuffer bytes = bytes(Metadata.encodedBytes(entries), b -> Metadata.encode(entries, b));
    assertEquals(entries, Metadata.decode(bytes));
  }

  @Provide
  Arbitrary<String> names() {
    // Up to 63 characters of at most four bytes without control characters. Surrogates occur only
    // in pairs.
    Arbitrary<String> character = Arbitraries.oneOf(
        Arbitraries.integers().between(' ', '~').map(Character::toString),
        Arbitraries.integers().between(0xA0, 0xD7FF).map(Character::toString),
        Arbitraries.integers().between(0x10000, 0x10FFFF).map(Character::toString));
    return character.list().ofMaxSize(63).map(list -> String.join("", list));
  }

  @Provide
  Arbitrary<String> texts() {
    return Arbitraries.strings().all().ofMinLength(300).ofMaxLength(1200);
  }

  @Provide
  Arbitrary<OpenFrame> opens() {
    return Combinators.combine(Arbitraries.of(OpenFrame.STREAM, OpenFrame.ROUTE), names(), names())
        .as((kind, name, codec) -> new OpenFrame(kind, name, codec, kind == 0 ? "" : codec));
  }

  @Provide
  Arbitrary<ResumeInfo> resumes() {
    Arbitrary<long[]> words =
        Arbitraries.longs().map(w -> w & ~1).array(long[].class).ofMaxSize(9);
    return Combinators.combine(
            Arbitraries.integers(), Arbitraries.integers(), Arbitraries.longs(), words)
        .as(ResumeInfo::new);
  }

  @Provide
  Arbitrary<Versions> versions() {
    Arbitrary<Integer> numbers = Arbitraries.integers().between(1, 65535);
    return Combinators.combine(numbers, numbers)
        .as((a, b) -> new Versions(Math.min(a, b), Math.max(a, b)));
  }

  @Provide
  Arbitrary<Hello> hellos() {
    Arbitrary<Integer> sizes = Arbitraries.integers().greaterOrEqual(1);
    Arbitrary<Hello.Identity> identities = Combinators.combine(
            Arbitraries.longs(), Arbitraries.longs(), names())
        .as((high, expected, name) -> new Hello.Identity(high, 1, expected, ~expected, name));
    Arbitrary<Hello.Attempt> attempts =
        Combinators.combine(sizes, sizes, Arbitraries.longs()).as(Hello.Attempt::new);
    Arbitrary<Authentication> authentications = Combinators.combine(
            Arbitraries.integers().between(0, 255), Arbitraries.integers().between(0, 2), bits())
        .as((method, sealing, bits) ->
            new Authentication(method, sealing, method, bits.first(), bits, Bits256.ZERO, bits));
    Arbitrary<Hello.Limits> limits =
        sizes.map(n -> new Hello.Limits(1 + n % 65536, n, n - 1, Integer.MAX_VALUE));
    return Combinators.combine(
            versions(),
            Arbitraries.longs(),
            identities,
            attempts,
            limits,
            authentications,
            resumes().injectNull(0.3))
        .as(Hello::new);
  }

  @Provide
  Arbitrary<List<Metadata.Entry>> entries() {
    Arbitrary<byte[]> values = Arbitraries.bytes().array(byte[].class).ofMaxSize(60);
    return Combinators.combine(
            Arbitraries.of(Metadata.HEADER, Metadata.CONTEXT),
            names().filter(name -> name.length() <= 20),
            values)
        .as(Metadata.Entry::new)
        .list()
        .ofMaxSize(6);
  }

  private static ByteBuffer bytes(int encodedBytes, Consumer<ByteBuffer> encode) {
    return ByteBuffer.wrap(WireBytes.encoded(encodedBytes, encode));
  }
}
