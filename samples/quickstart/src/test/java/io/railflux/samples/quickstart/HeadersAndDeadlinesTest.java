package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class HeadersAndDeadlinesTest {

  @Test
  void headersArriveWithTheirMessage() {
    assertEquals(List.of("1 evacuate", "9 lunch?"), HeadersAndDeadlines.notices(Addresses.fresh()));
  }

  @Test
  void requestWithoutAnAnswerFailsAtItsDeadline() {
    assertEquals("no answer in time", HeadersAndDeadlines.requestWithoutAnswer(Addresses.fresh()));
  }
}
