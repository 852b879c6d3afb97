package io.railflux.fabric.tcp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.railflux.fabric.Callback.Kind;
import io.railflux.fabric.Checksum;
import io.railflux.fabric.tcp.frames.FrameChecksum;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The agreement of both sides before the first frame, also with a side of the version without checksums. */
class ChecksumGreetingTest {

  private static byte[] greeting(boolean asking) {
    ByteBuf all = Unpooled.buffer();
    TcpPreamble.putWithOptions(all, asking);
    return ByteBufUtil.getBytes(all);
  }

  @ParameterizedTest
  @CsvSource({
    "ALLOWED, false, false",
    "ALLOWED, true, true",
    "PREFERRED, false, true",
    "PREFERRED, true, true",
    "REQUIRED, false, true"
  })
  void eitherSideCanRequireChecksums(Checksum wish, boolean peerAsks, boolean checksummed)
      throws IOException {
    try (BarePeer peer = new BarePeer(wish, greeting(peerAsks))) {
      assertEquals(checksummed, peer.endpoint.isChecksummed());
      assertArrayEquals(greeting(wish.isAsked()), peer.socket().getInputStream().readNBytes(16));
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Checksum.class,
      names = {"ALLOWED", "PREFERRED"})
  void previousVersionReceivesNoChecksums(Checksum wish) throws IOException {
    try (BarePeer peer = new BarePeer(wish, BarePeer.PREAMBLE)) {
      assertFalse(peer.endpoint.isChecksummed());
      peer.endpoint.notifyPeer();
      assertEquals(8, peer.socket().getInputStream().available(), "no options for it");
    }
  }

  @Test
  void rejectsThePreviousVersionIfChecksumsAreRequired() throws IOException {
    try (BarePeer peer = new BarePeer(Checksum.REQUIRED, BarePeer.PREAMBLE)) {
      assertNull(peer.endpoint);
      String reason = peer.callbacks.of(Kind.CONNECT_FAILED).get(0).reason();
      assertTrue(
          reason.contains("has no checksums, and this node requires them: update it"), reason);
    }
  }

  /** A peer of a later version sends further options, which this version ignores. */
  @Test
  void ignoresOptionsOfLaterVersions() throws IOException {
    ByteBuf later = Unpooled.wrappedBuffer(greeting(true));
    later.setShortLE(6, 3).setIntLE(8, 0xF1).setIntLE(12, FrameChecksum.of(later, 0, 12));
    try (BarePeer peer = new BarePeer(Checksum.ALLOWED, ByteBufUtil.getBytes(later))) {
      assertTrue(peer.endpoint.isChecksummed());
    }
  }

  /** For any changed value, the greeting or the first frame is rejected, and no frame is sent without checksums. */
  @Test
  void detectsAChangeOfAnyByteOfAGreeting() throws IOException {
    for (int at = 0; at < TcpPreamble.WITH_OPTIONS_BYTES; at++) {
      for (int mask : new int[] {1, 2, 3, 0x80, 0xFF}) {
        byte[] changed = greeting(false);
        changed[at] ^= (byte) mask;
        try (BarePeer peer = new BarePeer(Checksum.REQUIRED, changed)) {
          assertNull(peer.endpoint, "byte " + at + " changed by " + mask);
        }
      }
    }
  }
}
