package io.railflux.crypto;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.crypto.KeySchedule.Purpose;
import io.railflux.crypto.KeySchedule.Role;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The JDK's cryptography, as called here, produces the results of the standards. */
class KnownAnswersTest {

  private static byte[] hex(String digits) {
    return HexFormat.of().parseHex(digits);
  }

  private static byte[] bytes(int length, int value) {
    byte[] bytes = new byte[length];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  /** RFC 7748, 5.2 and 6.1. */
  @Test
  void x25519MatchesTheStandard() throws InvalidKeyException {
    EphemeralKey one =
        new EphemeralKey(hex("a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4"));
    assertEquals(
        "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
        HexFormat.of()
            .formatHex(one.agree(
                hex("e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c"))));
    EphemeralKey bob =
        new EphemeralKey(hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"));
    assertEquals(
        "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f",
        HexFormat.of().formatHex(bob.publicKey()));
    assertArrayEquals(one.agree(bob.publicKey()), bob.agree(one.publicKey()));
  }

  @Test
  void x25519RejectsKeysWithAKnownResult() {
    EphemeralKey key = new EphemeralKey(bytes(32, 7));
    assertThrows(InvalidKeyException.class, () -> key.agree(bytes(32, 0)));
    byte[] one = bytes(32, 0);
    one[0] = 1;
    assertThrows(InvalidKeyException.class, () -> key.agree(one));
    assertThrows(InvalidKeyException.class, () -> key.agree(new byte[31]));
  }

  /** RFC 5869, A.1, up to the first block, which is the only one in use. */
  @Test
  void extractMatchesHkdf() {
    byte[] pseudorandom = Kdf.extract(hex("000102030405060708090a0b0c"), bytes(22, 0x0b));
    assertEquals(
        "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5",
        HexFormat.of().formatHex(pseudorandom));
    byte[] okm = Kdf.hmac(pseudorandom, hex("f0f1f2f3f4f5f6f7f8f9"), new byte[] {1});
    assertEquals(
        "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf",
        HexFormat.of().formatHex(okm));
  }

  @ParameterizedTest
  @EnumSource(CipherSuite.class)
  void opensSealedTextOnly(CipherSuite suite) {
    byte[] known = {1, 2, 3};
    byte[] text = "a message of some bytes".getBytes(StandardCharsets.UTF_8);
    byte[] sealed = new byte[text.length + SealingKey.TAG_BYTES];
    new SealingKey(suite, bytes(32, 5)).seal(9, known, text, text.length, sealed, 0);

    assertArrayEquals(text, opened(suite, 9, known, sealed));
    assertEquals(null, opened(suite, 8, known, sealed), "another number");
    assertEquals(null, opened(suite, 9, new byte[] {1, 2, 4}, sealed), "another context");
    for (int at = 0; at < sealed.length; at++) {
      sealed[at] ^= 1;
      assertEquals(null, opened(suite, 9, known, sealed), "byte " + at);
      sealed[at] ^= 1;
    }
    assertEquals(null, opened(suite, 9, known, Arrays.copyOf(sealed, sealed.length - 1)));
    assertEquals(null, opened(suite, 9, known, new byte[3]));
  }

  private static byte[] opened(CipherSuite suite, long number, byte[] known, byte[] sealed) {
    byte[] text = new byte[Math.max(0, sealed.length - SealingKey.TAG_BYTES)];
    SealingKey key = new SealingKey(suite, bytes(32, 5));
    return key.open(number, known, sealed, sealed.length, text) ? text : null;
  }

  @Test
  void advancedKeysDifferAndBothSidesAgree() {
    SealingKey sealer = new SealingKey(CipherSuite.AES_256_GCM, bytes(32, 5));
    SealingKey opener = new SealingKey(CipherSuite.AES_256_GCM, bytes(32, 5));
    byte[] before = new byte[20];
    byte[] after = new byte[20];
    byte[] text = new byte[4];
    sealer.seal(0, new byte[0], text, 4, before, 0);
    sealer.advance();
    sealer.seal(0, new byte[0], text, 4, after, 0);

    assertFalse(Arrays.equals(before, after));
    assertFalse(opener.open(0, new byte[0], after, 20, new byte[4]));
    opener.advance();
    assertTrue(opener.open(0, new byte[0], after, 20, new byte[4]));
  }

  @Test
  void everyKeyOfAHandshakeDiffers() {
    Secret secret = new Secret("a secret of the tests");
    List<String> all = new ArrayList<>();
    for (int transcript = 0; transcript < 2; transcript++) {
      KeySchedule keys = new KeySchedule(secret, bytes(32, 1), bytes(32, transcript));
      byte[] session = keys.session();
      all.add(HexFormat.of().formatHex(session));
      for (Role role : Role.values()) {
        all.add(HexFormat.of().formatHex(keys.proof(role)));
        all.add(HexFormat.of().formatHex(keys.refusal(role, new byte[] {1})));
        all.add(HexFormat.of().formatHex(keys.sessionProof(session, role)));
        for (Purpose purpose : Purpose.values()) {
          all.add(HexFormat.of().formatHex(keys.key(session, role, purpose)));
          all.add(HexFormat.of().formatHex(keys.key(bytes(32, 3), role, purpose)));
        }
      }
    }
    assertEquals(all.size(), all.stream().distinct().count());
  }

  @Test
  void secretHasAMinimumLengthAndHidesItsContent() {
    assertThrows(IllegalArgumentException.class, () -> new Secret("fifteen bytes.."));
    Secret secret = new Secret("sixteen bytes...");
    assertFalse(secret.toString().contains("sixteen"));
    assertEquals(secret.id(), new Secret("sixteen bytes...").id());
    assertNotEquals(secret.id(), new Secret("sixteen bytes,,,").id());
  }

  @Test
  void proofMatchesItsWordsOnly() {
    WordProof proof = new WordProof(bytes(32, 1));
    proof.compute(1, 2, 3);
    long low = proof.low();
    long high = proof.high();
    assertTrue(proof.matches(low, high));
    assertFalse(proof.matches(low ^ 1, high));
    assertFalse(proof.matches(low, high ^ 1));
    for (long[] other : new long[][] {{0, 2, 3}, {1, 0, 3}, {1, 2, 0}, {2, 1, 3}}) {
      proof.compute(other[0], other[1], other[2]);
      assertFalse(proof.matches(low, high));
    }
  }

  @Test
  void machineSupportsACipher() {
    assertEquals(
        CipherSuite.fastestHere(), CipherSuite.among(CipherSuite.all(), CipherSuite.fastestHere()));
    assertEquals(CipherSuite.CHACHA20_POLY1305, CipherSuite.among(2, CipherSuite.AES_256_GCM));
    assertEquals(null, CipherSuite.among(4, CipherSuite.AES_256_GCM));
  }
}
