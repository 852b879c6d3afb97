package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class HeadersAndDeadlinesTest {

  @Test
  void headersTravelWithTheirMessage() {
    assertEquals(List.of("1 evacuate", "9 lunch?"), HeadersAndDeadlines.notices(Addresses.fresh()));
  }

  @Test
  void aRequestWithoutAnAnswerFailsInTime() {
    assertEquals("no answer in time", HeadersAndDeadlines.askNobody(Addresses.fresh()));
  }
}
