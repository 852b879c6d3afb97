package io.railflux.samples.quickstart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ContextPropagationTest {

  @Test
  void responderSeesTheTraceIdOfTheRequester() {
    assertEquals("hello world, trace 4bf92f35", ContextPropagation.run(Addresses.fresh()));
  }

  @Test
  void receiverOfAStreamSeesTheTraceIdOfTheSender() {
    assertEquals("buy 10, trace 00f067aa", ContextPropagation.stream(Addresses.fresh()));
  }
}
