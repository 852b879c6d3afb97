package io.railflux.engine.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ParkedStreamsTest {

  private final ParkedStreams parked = new ParkedStreams();

  private void park(String name, long id) {
    parked.park(name, new ParkedStreams.Parked(id, 0, "bytes", false, Map.of(), false, null), 0);
  }

  @Test
  void evictsTheOldestEndedStream() {
    park("open", 1);
    park("eldest", 2);
    park("younger", 3);
    assertTrue(parked.end(3, name -> null));
    assertTrue(parked.end(2, name -> null));

    assertTrue(parked.fits(3));

    assertNull(parked.take("eldest"));
    assertTrue(parked.take("younger").ended());
    assertTrue(parked.isOpen("open"));
  }

  @Test
  void evictsNoOpenStream() {
    park("a", 1);
    park("b", 2);
    parked.end(1, name -> null);

    assertFalse(parked.fits(1));

    assertEquals(2, parked.take("b").id());
    assertEquals(1, parked.take("a").id(), "its removal would not have helped");
  }

  @Test
  void takenAndReplacedStreamsAreNotCountedAsEnded() {
    park("a", 1);
    parked.end(1, name -> null);
    park("a", 2);
    assertTrue(parked.isOpen("a"));
    assertFalse(parked.fits(1));
    parked.end(2, name -> null);
    parked.take("a");
    park("b", 3);

    assertFalse(parked.fits(1));
    assertFalse(parked.end(1, name -> null), "it is not parked here");
  }
}
