package io.railflux.wire.handshake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VersionsTest {
  @ParameterizedTest(name = "{0}-{1} with {2}-{3}: {4}")
  @CsvSource({
    "1, 1, 1, 1, 1",
    "1, 1, 1, 2, 1",
    "1, 2, 2, 3, 2",
    "1, 3, 1, 3, 3",
    "1, 5, 2, 3, 3",
    "2, 3, 1, 5, 3",
    "1, 1, 2, 2, 0",
    "1, 2, 3, 9, 0",
    "65535, 65535, 1, 65535, 65535"
  })
  void highestCommonVersionWins(int minA, int maxA, int minB, int maxB, int agreed) {
    Versions a = new Versions(minA, maxA);
    Versions b = new Versions(minB, maxB);
    OptionalInt expected = agreed == 0 ? OptionalInt.empty() : OptionalInt.of(agreed);

    assertEquals(expected, a.negotiate(b));
    assertEquals(expected, b.negotiate(a));
  }

  @Test
  void buildInteroperatesWithItsSuccessor() {
    Versions here = Versions.SUPPORTED;
    Versions next = new Versions(here.max(), here.max() + 1);

    assertEquals(OptionalInt.of(here.max()), here.negotiate(next));
  }

  @ParameterizedTest
  @CsvSource({"0, 1", "2, 1", "-1, 1", "1, 65536"})
  void rejectsDisjointRanges(int min, int max) {
    assertThrows(IllegalArgumentException.class, () -> new Versions(min, max));
  }
}
