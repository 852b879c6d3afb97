package io.railflux.samples.cli.netlab;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.samples.cli.measure.Payload;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** The witness distinguishes the kinds of defects. */
class WitnessTest {

  private static final int SIZE_BYTES = 64;

  private static Payload payload(long number, boolean damaged) {
    ByteBuffer memory = ByteBuffer.allocate(SIZE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    Payload.put(Payload.fill(SIZE_BYTES), memory, 0, SIZE_BYTES);
    memory.putLong(0, number);
    if (damaged) {
      memory.put(40, (byte) ~memory.get(40));
    }
    Payload payload = new Payload();
    payload.wrap(memory, 0, SIZE_BYTES);
    return payload;
  }

  private static Order.Tally tally(Long... numbers) {
    Witness witness = new Witness(SIZE_BYTES);
    Flux.just(numbers).map(number -> payload(number, false)).subscribe(witness);
    return witness.tally();
  }

  @Test
  void countsMessagesInOrderAsReceived() {
    assertEquals(new Order.Tally(3, 0, 0, 0, 0), tally(0L, 1L, 2L));
  }

  @Test
  void countsMissingMessagesAsLost() {
    assertEquals(new Order.Tally(2, 2, 0, 0, 0), tally(0L, 3L));
    assertEquals(3, tally(0L, 3L).of(5).lost(), "and the numbers sent after it");
    assertEquals(0, tally(0L, 1L, 2L).of(3).lost());
  }

  @Test
  void countsRepeatedMessagesAsDuplicated() {
    assertEquals(new Order.Tally(4, 0, 2, 0, 0), tally(0L, 1L, 1L, 0L));
    assertEquals(1, tally(0L, 1L, 1L).of(3).lost(), "a duplicate does not replace another number");
  }

  @Test
  void countsLateMessagesAsReordered() {
    assertEquals(new Order.Tally(3, 0, 0, 1, 0), tally(0L, 2L, 1L));
  }

  @Test
  void countsChangedMessagesAsDamaged() {
    Witness witness = new Witness(SIZE_BYTES);
    Flux.just(payload(0, false), payload(1, true)).subscribe(witness);

    assertEquals(new Order.Tally(1, 0, 0, 0, 1), witness.tally());
  }
}
