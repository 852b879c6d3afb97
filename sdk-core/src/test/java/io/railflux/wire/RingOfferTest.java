package io.railflux.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.wire.handshake.Hello;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Bytes of the frames and features that replace rings. */
@Tag("CH3")
class RingOfferTest {

  @Test
  void ringOfferContainsTheRing() throws MalformedFrameException {
    RingOffer offer = new RingOffer(2, 16 << 10, 0x5152535455565758L, 1);
    byte[] body = WireBytes.encoded(RingOffer.BYTES, offer::encode);
    String golden = """
        02000000 00400000                  | subchannel, ringBytes
        5857565554535251                   | key of the ring
        01                                 | kind: shared ring
        """;

    assertArrayEquals(WireBytes.bytes(golden), body);
    assertEquals(offer, RingOffer.decode(WireBytes.buffer(golden)));
  }

  @Test
  void ringOfferOfAnOddSizeIsMalformed() {
    String odd = "02000000 00410000 5857565554535251 01";
    assertThrows(MalformedFrameException.class, () -> RingOffer.decode(WireBytes.buffer(odd)));
  }

  @Test
  void featuresContainTheLargestRing() {
    assertEquals(2L | 21L << 8, Hello.ringsChange(2 << 20));
    assertTrue(Hello.ringsChange(1 << 30) < 1L << 13);
  }
}
