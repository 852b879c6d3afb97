package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class OwnedMessagesTest {

  @Test
  void messagesAreReadOnAnotherThread() {
    assertEquals(List.of(3, 5, 6), OwnedMessages.run(Addresses.fresh()));
  }
}
