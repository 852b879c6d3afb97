package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.samples.quickstart.RecordsAndFlyweights.Instrument;
import io.railflux.samples.quickstart.RecordsAndFlyweights.Order;
import io.railflux.samples.quickstart.RecordsAndFlyweights.Side;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordsAndFlyweightsTest {

  @Test
  void aRecordArrivesEqual() {
    assertEquals(
        List.of(new Order(new Instrument(7, 42), Side.BUY, 10.5, 100)),
        RecordsAndFlyweights.records(Addresses.fresh()));
  }

  @Test
  void theCodecsNameTellsTheLayout() {
    assertEquals("record:Order((IJ)E2DI)", RecordsAndFlyweights.ORDER.name());
  }

  @Test
  void aFlyweightIsReadInPlace() {
    assertEquals(249_750.0, RecordsAndFlyweights.flyweights(Addresses.fresh()));
  }
}
