package io.railflux.fabric.verbs.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("CM4")
class GreetingTest {

  @Test
  void bytesOnTheWire() {
    ByteBuffer bytes = new Greeting(1, 1, 1024, 4711).encode();

    assertEquals(
        ByteBuffer.wrap(
            HexFormat.of().parseHex("52465642" + "0100" + "0100" + "00040000" + "67120000")),
        bytes);
  }

  @Test
  void paddingOfTheConnectionManagerIsSkipped() throws IOException {
    ByteBuffer padded = ByteBuffer.allocate(56).put(Greeting.own(1024).encode()).clear();

    assertEquals(Greeting.own(1024), Greeting.decode(padded));
  }

  @Test
  void acceptsALaterVersionThatSupportsThisOne() throws IOException {
    assertEquals(3, Greeting.decode(new Greeting(3, 1, 1024, 1).encode()).version());
  }

  @Test
  void rejectsAnUnsupportedVersion() {
    IOException refusal = assertThrows(
        IOException.class, () -> Greeting.decode(new Greeting(3, 2, 1024, 1).encode()));
    assertTrue(refusal.getMessage().contains("versions 2 to 3"), refusal::getMessage);
  }

  @Test
  void rejectsAnotherProgram() {
    assertThrows(IOException.class, () -> Greeting.decode(ByteBuffer.allocate(0)));
    assertThrows(IOException.class, () -> Greeting.decode(ByteBuffer.allocate(56)));
  }

  @Test
  void rejectsAPeerWithoutReceives() {
    assertThrows(IOException.class, () -> Greeting.decode(new Greeting(1, 1, 0, 1).encode()));
    assertThrows(IOException.class, () -> Greeting.decode(new Greeting(1, 1, -1024, 1).encode()));
  }

  /** Private data of a stranger's REQ or REP, arbitrary or nearly valid. */
  @Test
  void arbitraryBytesAreAcceptedOrRejected() {
    Random random = new Random(1);
    int understood = 0;
    for (int i = 0; i < 100_000; i++) {
      byte[] data = new byte[random.nextInt(80)];
      random.nextBytes(data);
      if (random.nextInt(4) > 0 && data.length >= Greeting.BYTES) {
        new Greeting(1, 1, 1024, 4711).encode().get(data, 0, Greeting.BYTES);
        data[random.nextInt(Greeting.BYTES)] = (byte) random.nextInt();
      }
      understood += isUnderstood(data) ? 1 : 0;
    }
    assertTrue(understood > 1_000, "nearly valid greetings are tried as well: " + understood);
  }

  private static boolean isUnderstood(byte[] data) {
    try {
      Greeting greeting = Greeting.decode(ByteBuffer.wrap(data));
      assertTrue(greeting.version() >= 1 && greeting.lowest() <= 1, greeting::toString);
      assertTrue(greeting.fragmentBytes() >= 64, greeting::toString);
      return true;
    } catch (IOException e) {
      assertFalse(e.getMessage().isBlank());
      return false;
    }
  }
}
