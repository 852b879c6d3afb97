package io.railflux.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
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
  void aLaterVersionThatStillSpeaksThisOneIsFine() throws IOException {
    assertEquals(3, Greeting.decode(new Greeting(3, 1, 1024, 1).encode()).version());
  }

  @Test
  void aVersionThatIsNotSpokenHereIsRefused() {
    IOException refusal = assertThrows(
        IOException.class, () -> Greeting.decode(new Greeting(3, 2, 1024, 1).encode()));
    assertTrue(refusal.getMessage().contains("versions 2 to 3"), refusal::getMessage);
  }

  @Test
  void anotherProgramIsRefused() {
    assertThrows(IOException.class, () -> Greeting.decode(ByteBuffer.allocate(0)));
    assertThrows(IOException.class, () -> Greeting.decode(ByteBuffer.allocate(56)));
  }

  @Test
  void roomForNothingIsRefused() {
    assertThrows(IOException.class, () -> Greeting.decode(new Greeting(1, 1, 0, 1).encode()));
    assertThrows(IOException.class, () -> Greeting.decode(new Greeting(1, 1, -1024, 1).encode()));
  }
}
