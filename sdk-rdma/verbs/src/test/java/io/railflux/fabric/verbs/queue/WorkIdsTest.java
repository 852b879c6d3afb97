package io.railflux.fabric.verbs.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkIdsTest {

  @ParameterizedTest
  @CsvSource({"1, 0", "2147483647, 65535", "77, 319"})
  void endpointKindAndPlaceRoundTrip(int endpoint, int place) {
    long request = WorkIds.request(endpoint, place);
    long receive = WorkIds.receive(endpoint, place);

    assertEquals(endpoint, WorkIds.endpoint(request));
    assertEquals(endpoint, WorkIds.endpoint(receive));
    assertEquals(place, WorkIds.place(request));
    assertEquals(place, WorkIds.place(receive));
    assertFalse(WorkIds.isReceive(request));
    assertTrue(WorkIds.isReceive(receive));
  }
}
