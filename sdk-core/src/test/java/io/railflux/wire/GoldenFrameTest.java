package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Every ring frame as bytes. A change here breaks peers of the same version. */
class GoldenFrameTest {
  private static final byte[] NO_BODY = {};

  private static final String IDS = """
      1817161514131211 | psn
      2827262524232221 | streamId
      3433323100000000 | streamSeq
      """;

  private final ByteBuffer ring = WireBytes.ring(256);
  private final ReceivedFrame frame = new ReceivedFrame();

  @Test
  void paddingIsOnePublishWord() {
    FrameHeader.publish(ring, 64, FrameHeader.word(192, FrameType.PADDING, 0, FrameHeader.BYTES));

    assertEquals(WireBytes.hex("c0000000 01 00 2000 00000000"), WireBytes.hexOf(ring, 64, 12));
    assertNull(WireBytes.read(frame, ring, 64));
    assertEquals(192, frame.lengthBytes());
    assertEquals(0, frame.bodyBytes());
  }

  @Test
  void dataCarriesTheEncodedMessage() {
    expect(FrameType.DATA, FrameFlags.LAST, WireBytes.utf8("hi"), "22000000 02 01 2000", "6869");
  }

  @Test
  void batchEndsWithTheLengthsOfItsMessages() {
    String golden = """
        6869 000000000000         | "hi", padded to 8
        616263                    | "abc"
        0000000000                | padding
        0200 0300 0000            | lengths, the last message is empty
        0300                      | count
        """;

    expect(FrameType.BATCH, 0, WireBytes.bytes(golden), "38000000 0e 00 2000", golden);

    assertEquals(3, frame.messagesLeft());
    for (String message : List.of("hi", "abc", "")) {
      assertTrue(frame.nextMessage());
      assertArrayEquals(WireBytes.utf8(message), copy(WireBytes.body(frame)));
    }
    assertEquals(0, frame.messagesLeft());
    assertFalse(frame.nextMessage());
  }

  @Test
  void tableOfABatchRoundTrips() {
    ByteBuffer table = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);

    assertEquals(8, BatchTable.put(table, 0, new short[] {2, 3, (short) 0xFFFE, 9}, 3));

    assertEquals(8, BatchTable.bytes(3));
    assertArrayEquals(WireBytes.bytes("0200 0300 feff 0300"), table.array());
  }

  @Test
  void extensionsFollowTheHeaderInOrder() {
    byte[] entries = entries(new Metadata.Entry(Metadata.HEADER, "k", new byte[] {7}));
    int flags = 0x0F;
    int headerBytes = FrameHeader.headerBytes(flags, entries.length);
    fill(ring);
    FrameHeader.put(ring, 0, 0x1112131415161718L, 0x2122232425262728L, 0x31323334L);
    FrameHeader.putExtensions(ring, 0, flags, 0x4142, 0x5152, 0x6162, ByteBuffer.wrap(entries));
    ring.put(headerBytes, WireBytes.utf8("hi"));
    FrameHeader.publish(ring, 0, FrameHeader.word(headerBytes + 2, 2, flags, headerBytes));

    String golden = """
        4a000000 02 0f 4800               | length 74, DATA, four flags, header 72
        """ + IDS + """
              4241000000000000 5251000000000000 | PIGGYBACK creditPosition, ackPsn
              6261000000000000                  | TIME_TO_LIVE
              0700 01 00 01 6b 0100 07          | METADATA: 7 bytes, one entry
              00000000000000                    | padding to 8
              6869                              | body
              """;
    assertEquals(WireBytes.hex(golden), WireBytes.hexOf(ring, 0, 74));
    assertNull(WireBytes.read(frame, ring, 0));
    assertEquals(0x4142, frame.creditPosition());
    assertEquals(0x5152, frame.ackPsn());
    assertEquals(0x6162, frame.timeToLiveNanos());
    assertEquals(WireBytes.hex("01 00 01 6b 0100 07"), WireBytes.hexOf(ring, 58, 7));
    assertEquals(58, frame.metadataOffset());
    assertEquals(7, frame.metadataBytes());
    assertArrayEquals(WireBytes.utf8("hi"), copy(WireBytes.body(frame)));
  }

  @Test
  void openContainsKindNameAndCodecs() throws MalformedFrameException {
    OpenFrame open = new OpenFrame(OpenFrame.ROUTE, "añ", "json", "cbor");
    byte[] body = WireBytes.encoded(open.encodedBytes(), open::encode);
    String golden = "01 0300 61c3b1 0400 6a736f6e 0400 63626f72";

    expect(FrameType.OPEN, 0, body, "32000000 03 00 2000", golden);
    assertEquals(open, OpenFrame.decode(WireBytes.buffer(golden)));
  }

  @Test
  void openOfAStreamHasAnEmptyReplyCodec() throws MalformedFrameException {
    OpenFrame open = new OpenFrame(OpenFrame.STREAM, "s", "json", "");
    byte[] body = WireBytes.encoded(open.encodedBytes(), open::encode);
    String golden = "00 0100 73 0400 6a736f6e 0000";

    expect(FrameType.OPEN, 0, body, "2c000000 03 00 2000", golden);
    assertEquals(open, OpenFrame.decode(WireBytes.buffer(golden)));
  }

  @Test
  void rejectContainsReasonAndText() throws MalformedFrameException {
    RejectFrame reject = new RejectFrame(RejectFrame.CODEC_MISMATCH, "no");
    byte[] body = WireBytes.encoded(reject.encodedBytes(), reject::encode);
    String golden = "02 0200 6e6f";

    expect(FrameType.REJECT, FrameFlags.REPLY, body, "25000000 04 20 2000", golden);
    assertEquals(reject, RejectFrame.decode(WireBytes.buffer(golden)));
  }

  @Test
  void demandIsAPosition() {
    expect(FrameType.DEMAND, FrameFlags.REPLY, NO_BODY, "20000000 05 20 2000", "");
  }

  @Test
  void demandWithoutBoundIsAFlag() {
    int flags = FrameFlags.REPLY | FrameFlags.UNBOUNDED;
    expect(FrameType.DEMAND, flags, NO_BODY, "20000000 05 60 2000", "");
  }

  @Test
  void cancelIsAHeader() {
    expect(FrameType.CANCEL, FrameFlags.REPLY, NO_BODY, "20000000 06 20 2000", "");
  }

  @Test
  void completeIsAHeader() {
    expect(FrameType.COMPLETE, 0, NO_BODY, "20000000 07 00 2000", "");
  }

  @Test
  void errorContainsClassAndMessage() throws MalformedFrameException {
    ErrorFrame error = new ErrorFrame("a.B", "bad");
    byte[] body = WireBytes.encoded(error.encodedBytes(), error::encode);
    String golden = "0300 612e42 0300 626164";

    expect(FrameType.ERROR, 0, body, "2a000000 08 00 2000", golden);
    assertEquals(error, ErrorFrame.decode(WireBytes.buffer(golden)));
  }

  @Test
  void relayedErrorContainsItsOrigin() throws MalformedFrameException {
    ErrorFrame error = new ErrorFrame("a.B", "bad", "o");
    byte[] body = WireBytes.encoded(error.encodedBytes(), error::encode);
    String golden = "0300 612e42 0300 626164 0100 6f";

    expect(FrameType.ERROR, 0, body, "2d000000 08 00 2000", golden);
    assertEquals(error, ErrorFrame.decode(WireBytes.buffer(golden)));
  }

  @Test
  void requestStartsWithTheRouteId() {
    byte[] body = new byte[10];
    RequestBody.putRouteId(ByteBuffer.wrap(body), 0, 0x7172737475767778L);
    body[8] = 'h';
    body[9] = 'i';

    expect(FrameType.REQUEST, 0, body, "2a000000 09 00 2000", "7877767574737271 6869");
    assertEquals(0x7172737475767778L, RequestBody.routeId(ring, frame.bodyOffset()));
  }

  @Test
  void heartbeatIsAHeaderOfZeros() {
    expectLinkFrame(FrameType.HEARTBEAT, 0, NO_BODY, "20000000 0a 00 2000", "");
  }

  @Test
  void resumeContainsReceivedFrames() throws MalformedFrameException {
    ResumeInfo resume = new ResumeInfo(3, 2, 0x1112131415161718L, new long[] {6, 1L << 63});
    byte[] body = WireBytes.encoded(resume.encodedBytes(), resume::encode);
    String golden = """
        03000000 02000000                  | epoch, subchannel
        1817161514131211                   | expectedPsn
        0200                               | two words
        0600000000000000 0000000000000080  | +1, +2 and +127 arrived
        """;

    expect(FrameType.RESUME, 0, body, "42000000 0b 00 2000", golden);
    assertEquals(resume, ResumeInfo.decode(WireBytes.buffer(golden)));
  }

  @Test
  void goodbyeIsAText() throws MalformedFrameException {
    GoodbyeFrame goodbye = new GoodbyeFrame("bye");
    byte[] body = WireBytes.encoded(goodbye.encodedBytes(), goodbye::encode);
    String golden = "0300 627965";

    expect(FrameType.GOODBYE, 0, body, "25000000 0c 00 2000", golden);
    assertEquals(goodbye, GoodbyeFrame.decode(WireBytes.buffer(golden)));
  }

  @Test
  void addressesAreBytesAfterTheirCount() throws Exception {
    AddressesFrame addresses = new AddressesFrame(
        0x1234, List.of(InetAddress.getByName("10.1.2.3"), InetAddress.getByName("fd00::7")));
    byte[] body = WireBytes.encoded(addresses.encodedBytes(), addresses::encode);
    String golden = "3412 0200 04 0a010203 10 fd000000000000000000000000000007";

    expect(FrameType.ADDRESSES, 0, body, "3a000000 13 00 2000", golden);
    assertEquals(addresses, AddressesFrame.decode(WireBytes.buffer(golden)));
  }

  @Test
  void addressesAreLimitedAndOfAKnownKind() {
    for (String wrong :
        List.of("00002100", "00000100 05 0102030405", "00000100 10 0102", "000002")) {
      assertThrows(
          MalformedFrameException.class,
          () -> AddressesFrame.decode(WireBytes.buffer(wrong)),
          wrong);
    }
  }

  @Test
  void creditIsAHeaderAndAPiggyback() {
    int flags = FrameFlags.PIGGYBACK;
    FrameHeader.put(ring, 0, 0, 0, 0);
    FrameHeader.putExtensions(ring, 0, flags, 0x4142, 0x5152, 0, null);
    FrameHeader.publish(ring, 0, FrameHeader.word(48, FrameType.CREDIT, flags, 48));

    String golden = "30000000 0d 02 3000" + "00".repeat(24) + "4241000000000000 5251000000000000";
    assertEquals(WireBytes.hex(golden), WireBytes.hexOf(ring, 0, 48));
    assertNull(WireBytes.read(frame, ring, 0));
    assertEquals(0x4142, frame.creditPosition());
    assertEquals(0x5152, frame.ackPsn());
  }

  @Test
  void rendezvousStartContainsTheReadableRegion() throws MalformedFrameException {
    RendezvousStart start = RendezvousStart.readable(
        0x4142434445464748L,
        0x01020304,
        3,
        new Region(0x5152535455565758L, 0x61626364, 4096),
        RendezvousStart.REQUEST);
    byte[] body = WireBytes.encoded(start.encodedBytes(), start::encode);
    String golden = """
        4847464544434241                   | transfer
        04030201 03000000                  | lengthBytes, subchannel
        5857565554535251                   | key of the region
        64636261 00100000                  | regionBytes, regionOffset
        01000000 00000000                  | request, no stripes
        """;

    expect(FrameType.RNDZ_START, FrameFlags.REPLY, body, "48000000 0f 20 2000", golden);
    assertEquals(start, RendezvousStart.decode(WireBytes.buffer(golden)));
  }

  @Test
  void rendezvousStartWithoutAReadableRegion() throws MalformedFrameException {
    RendezvousStart start = RendezvousStart.notReadable(1, 2, RendezvousStart.MESSAGE, List.of());
    byte[] body = WireBytes.encoded(start.encodedBytes(), start::encode);
    String golden = """
        0100000000000000                   | transfer
        02000000 ffffffff                  | lengthBytes, no subchannel
        0000000000000000 00000000 00000000 | no region
        00000000 00000000                  | message, no stripes
        """;

    expect(FrameType.RNDZ_START, 0, body, "48000000 0f 00 2000", golden);
    assertFalse(RendezvousStart.decode(WireBytes.buffer(golden)).isReadable());
  }

  @Test
  void rendezvousStartContainsItsStripes() throws MalformedFrameException {
    RendezvousStart start = RendezvousStart.notReadable(
        1,
        0x30000,
        RendezvousStart.MESSAGE,
        List.of(new RendezvousStart.Stripe(3, 0x20000), new RendezvousStart.Stripe(9, 0x10000)));
    byte[] body = WireBytes.encoded(start.encodedBytes(), start::encode);
    String golden = """
        0100000000000000                   | transfer
        00000300 ffffffff                  | lengthBytes, no subchannel
        0000000000000000 00000000 00000000 | no region
        00000000 02000000                  | message, stripes
        03000000 00000200                  | subchannel, lengthBytes
        09000000 00000100                  |
        """;

    expect(FrameType.RNDZ_START, 0, body, "58000000 0f 00 2000", golden);
    assertEquals(start, RendezvousStart.decode(WireBytes.buffer(golden)));
  }

  @Test
  void rendezvousReplyContainsTheRegionToWrite() throws MalformedFrameException {
    RendezvousReply reply =
        new RendezvousReply(7, 2, new Region(0x5152535455565758L, 4096, 512), 1024, 256);
    byte[] body = WireBytes.encoded(RendezvousReply.BYTES, reply::encode);
    String golden = """
        07000000 02000000                  | grant, subchannel
        5857565554535251                   | key of the region
        00100000 00020000                  | regionBytes, regionOffset
        00040000 00010000                  | dataOffset, lengthBytes
        """;

    expect(FrameType.RNDZ_REPLY, 0, body, "40000000 10 00 2000", golden);
    assertEquals(reply, RendezvousReply.decode(WireBytes.buffer(golden)));
  }

  @Test
  void rendezvousFinContainsTheGrant() throws MalformedFrameException {
    byte[] body = WireBytes.encoded(RendezvousFin.BYTES, new RendezvousFin(7)::encode);
    String golden = "07000000 00000000";

    expect(FrameType.RNDZ_FIN, 0, body, "28000000 11 00 2000", golden);
    assertEquals(new RendezvousFin(7), RendezvousFin.decode(WireBytes.buffer(golden)));
  }

  @Test
  void rendezvousDoneContainsTheOutcome() throws MalformedFrameException {
    RendezvousDone done = new RendezvousDone(RendezvousDone.ARRIVED, 0xFEDCBA98L);
    byte[] body = WireBytes.encoded(RendezvousDone.BYTES, done::encode);
    String golden = "00000000 98badcfe";

    expect(FrameType.RNDZ_DONE, 0, body, "28000000 12 00 2000", golden);
    assertEquals(done, RendezvousDone.decode(WireBytes.buffer(golden)));
    assertEquals(
        RendezvousDone.of(RendezvousDone.ABANDONED),
        RendezvousDone.decode(WireBytes.buffer("01000000 00000000")));
  }

  private void expect(int type, int flags, byte[] body, String word, String bodyHex) {
    int lengthBytes = WireBytes.frame(ring, 0, type, flags, body);

    assertEquals(WireBytes.hex(word + IDS + bodyHex), WireBytes.hexOf(ring, 0, lengthBytes));
    assertNull(WireBytes.read(frame, ring, 0));
    assertEquals(type, frame.type());
    assertEquals(flags, frame.flags());
    assertEquals(0x1112131415161718L, frame.psn());
    assertEquals(0x2122232425262728L, frame.streamId());
    assertEquals(0x31323334L, frame.streamSeq());
    assertArrayEquals(body, copy(WireBytes.body(frame)));
  }

  private void expectLinkFrame(int type, int flags, byte[] body, String word, String bodyHex) {
    int lengthBytes = WireBytes.frame(ring, 0, type, flags, body);
    FrameHeader.put(ring, 0, 0, 0, 0);

    String golden = word + "00".repeat(24) + bodyHex;
    assertEquals(WireBytes.hex(golden), WireBytes.hexOf(ring, 0, lengthBytes));
    assertNull(WireBytes.read(frame, ring, 0));
    assertEquals(0, frame.psn());
    assertArrayEquals(body, copy(WireBytes.body(frame)));
  }

  private static byte[] entries(Metadata.Entry entry) {
    List<Metadata.Entry> entries = List.of(entry);
    return WireBytes.encoded(Metadata.encodedBytes(entries), b -> Metadata.encode(entries, b));
  }

  private static void fill(ByteBuffer ring) {
    for (int i = 0; i < ring.capacity(); i++) {
      ring.put(i, (byte) 0xEE);
    }
  }

  private static byte[] copy(ByteBuffer view) {
    byte[] copy = new byte[view.remaining()];
    view.get(copy);
    return copy;
  }
}
