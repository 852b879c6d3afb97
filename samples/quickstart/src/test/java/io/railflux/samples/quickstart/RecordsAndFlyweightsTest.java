package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.samples.quickstart.RecordsAndFlyweights.Instrument;
import io.railflux.samples.quickstart.RecordsAndFlyweights.Order;
import io.railflux.samples.quickstart.RecordsAndFlyweights.Side;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RecordsAndFlyweightsTest {

  @Test
  void recordArrivesEqual() {
    assertEquals(
        List.of(new Order(
            new Instrument(7, 42),
            Side.BUY,
            new BigDecimal("10.5"),
            Instant.EPOCH,
            Optional.of("soon"))),
        RecordsAndFlyweights.records(Addresses.fresh()));
  }

  @Test
  void nameOfACodecContainsTheLayout() {
    assertEquals(
        "record:Order(instrument=(exchange=int,id=long),side=enum,limit=BigDecimal,placed=Instant,note=?String)",
        RecordsAndFlyweights.ORDER.name());
  }

  @Test
  void flyweightIsReadInPlace() {
    assertEquals(249_750.0, RecordsAndFlyweights.flyweights(Addresses.fresh()));
  }
}
