package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class RequestReplyTest {

  @Test
  void oneReplyAndTheFirstRepliesOfMany() {
    assertEquals(
        new RequestReply.Answers(8, List.of(100L, 121L, 144L)),
        RequestReply.run(Addresses.fresh()));
  }
}
