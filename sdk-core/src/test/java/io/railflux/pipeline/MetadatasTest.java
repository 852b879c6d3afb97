package io.railflux.pipeline;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.message.Headers;
import io.railflux.wire.Metadata;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

/** Headers and context entries in a frame, and invalid metadata. */
class MetadatasTest {

  private static final byte[] VALID =
      HexFormat.of().parseHex("0200057472616365" + "0200beef" + "01046b65c3b10100" + "78");

  @Test
  void emptyHeadersAndContextHaveNoMetadata() {
    assertNull(Metadatas.encode(Headers.empty(), Map.of()));
    assertEquals(0, Frames.of(1).metadataBytes());
    assertEquals(Headers.empty(), Metadatas.decode(Frames.of(1)).headers());
    assertEquals(Map.of(), Metadatas.decode(Frames.of(1)).context());
  }

  @Property(tries = 300)
  void headersAndContextArriveUnchanged(
      @ForAll @Size(max = 5) Map<@AlphaChars @StringLength(min = 1, max = 9) String, byte[]> values,
      @ForAll @Size(max = 5)
          Map<@AlphaChars @StringLength(max = 9) String, @StringLength(max = 9) String> context) {
    Headers headers = Headers.empty();
    for (var entry : values.entrySet()) {
      byte[] value = entry.getValue();
      headers = headers.with(entry.getKey(), Arrays.copyOf(value, Math.min(value.length, 60)));
    }
    Map<String, String> wellFormed = new LinkedHashMap<>();
    context.forEach((name, text) -> wellFormed.put(name, text.replaceAll("[\\ud800-\\udfff]", "")));
    ByteBuffer encoded = Metadatas.encode(headers, wellFormed);
    Metadatas.Decoded decoded = Metadatas.decode(Frames.of(1, encoded, 0));

    assertEquals(headers, decoded.headers());
    assertEquals(wellFormed, decoded.context());
  }

  @Test
  void senderRejectsMetadataBeyondTheLimit() {
    Map<String, String> context = Map.of("name", "x".repeat(Metadata.MAX_BYTES));

    assertThrows(IllegalArgumentException.class, () -> Metadatas.encode(Headers.empty(), context));
  }

  @Test
  void headerWithoutANameIsInvalid() {
    byte[] nameless = HexFormat.of().parseHex("0100000000");

    assertThrows(
        IllegalArgumentException.class,
        () -> Metadatas.decode(Frames.of(1, ByteBuffer.wrap(nameless), 0)));
  }

  @Property(tries = 500)
  void arbitraryBytes(@ForAll @Size(max = 200) byte[] bytes) {
    HostileMetadata.decode(bytes);
  }

  @Property(tries = 1000)
  void damagedEntries(
      @ForAll @Size(max = 3) List<@IntRange(max = 0xFFFF) Integer> changes,
      @ForAll @IntRange(max = 3) int cut) {
    byte[] bytes = Arrays.copyOf(VALID, VALID.length - cut);
    changes.forEach(change -> bytes[(change >>> 8) % bytes.length] = (byte) (int) change);
    HostileMetadata.decode(bytes);
  }
}
