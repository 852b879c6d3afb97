package io.railflux.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LibraryVersionTest {

  private static final String LINE =
      "7f00-7f01 r-xp 00000000 08:01 42   /usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0";

  @Test
  void fileNameContainsTheRelease() {
    LibraryVersion found =
        LibraryVersion.find(Stream.of("heap", LINE), "libibverbs.so").orElseThrow();

    assertEquals(44, found.release());
    assertTrue(found.isKnown());
    assertEquals("/usr/lib/x86_64-linux-gnu/libibverbs.so.1.14.44.0", found.file());
  }

  @Test
  void librariesHaveSeparateVersions() {
    Stream<String> maps = Stream.of(LINE, LINE.replace("ibverbs.so.1.14.44", "rdmacm.so.1.3.39"));

    assertEquals(39, LibraryVersion.find(maps, "librdmacm.so").orElseThrow().release());
  }

  @Test
  void unverifiedReleasesAreUnknown() {
    assertFalse(new LibraryVersion("f", LibraryVersion.OLDEST - 1).isKnown());
    assertTrue(new LibraryVersion("f", LibraryVersion.OLDEST).isKnown());
    assertTrue(new LibraryVersion("f", LibraryVersion.NEWEST).isKnown());
    assertFalse(new LibraryVersion("f", LibraryVersion.NEWEST + 1).isKnown());
  }

  @Test
  void fileWithoutAVersionHasNone() {
    Stream<String> maps = Stream.of("7f00-7f01 r-xp 0 0 0 /opt/lib/libibverbs.so.1");

    assertEquals(Optional.empty(), LibraryVersion.find(maps, "libibverbs.so"));
  }
}
