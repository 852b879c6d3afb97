package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class MetadataTest {
  private static final String GOLDEN = """
      02                              | two entries
      00 05 7472616365 0200 beef      | header "trace"
      01 03 6b65c3                    | context, the name cut inside a code point
      """;

  @Test
  void entriesByteForByte() throws MalformedFrameException {
    String golden = GOLDEN.replace("03 6b65c3", "04 6b65c3b1 0000");
    List<Metadata.Entry> entries = List.of(
        new Metadata.Entry(Metadata.HEADER, "trace", new byte[] {(byte) 0xBE, (byte) 0xEF}),
        new Metadata.Entry(Metadata.CONTEXT, "keñ", new byte[0]));

    byte[] encoded =
        WireBytes.encoded(Metadata.encodedBytes(entries), b -> Metadata.encode(entries, b));

    assertEquals(WireBytes.hex(golden), HexFormat.of().formatHex(encoded));
    assertEquals(entries, Metadata.decode(ByteBuffer.wrap(encoded)));
  }

  @Test
  void nameThatIsNotUtf8IsMalformed() {
    ByteBuffer cut = WireBytes.buffer(GOLDEN + "0000");

    assertThrows(MalformedFrameException.class, () -> Metadata.decode(cut));
  }

  @Test
  void entriesOfALaterKindAreSkipped() throws MalformedFrameException {
    List<Metadata.Entry> decoded =
        Metadata.decode(WireBytes.buffer("03 00 01 61 0000 07 01 62 0100 ff 01 01 63 0000"));

    assertEquals(List.of("a", "c"), decoded.stream().map(Metadata.Entry::name).toList());
  }

  @Test
  void noBytesAreNoEntries() throws MalformedFrameException {
    assertEquals(List.of(), Metadata.decode(ByteBuffer.allocate(0)));
    assertEquals(List.of(), Metadata.decode(WireBytes.buffer("00")));
  }

  @Test
  void bothSidesRejectMetadataBeyondTheLimit() {
    List<Metadata.Entry> large =
        List.of(new Metadata.Entry(Metadata.HEADER, "", new byte[Metadata.MAX_BYTES - 4]));
    List<Metadata.Entry> many =
        Collections.nCopies(256, new Metadata.Entry(Metadata.HEADER, "", new byte[0]));

    assertThrows(IllegalArgumentException.class, () -> Metadata.encodedBytes(large));
    assertThrows(
        IllegalArgumentException.class, () -> Metadata.encode(many, ByteBuffer.allocate(2048)));
    assertThrows(
        MalformedFrameException.class,
        () -> Metadata.decode(ByteBuffer.allocate(Metadata.MAX_BYTES + 1)));
  }

  @Test
  void valuesAreCopiedAndStayOutOfLogs() {
    byte[] secret = {'t', 'o', 'k', 'e', 'n'};
    Metadata.Entry entry = new Metadata.Entry(Metadata.HEADER, "authorization", secret);
    secret[0] = 0;
    entry.value()[1] = 0;

    assertArrayEquals(WireBytes.utf8("token"), entry.value());
    assertEquals("Entry[kind=0, name=authorization, 5 bytes]", entry.toString());
    assertFalse(entry.equals(new Metadata.Entry(Metadata.CONTEXT, "authorization", secret)));
  }
}
