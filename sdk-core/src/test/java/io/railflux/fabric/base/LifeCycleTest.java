package io.railflux.fabric.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.EndpointState;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("FT1")
class LifeCycleTest {

  private final LifeCycle life = new LifeCycle();

  @Test
  void beginsReady() {
    assertEquals(EndpointState.READY, life.state());
    assertTrue(life.isReady());
    life.requireReady();
    assertEquals("", life.failure());
  }

  @Test
  void aFailureIsKeptAndReportedOnce() {
    assertFalse(life.claimFailure());
    assertTrue(life.drain("first"));
    assertFalse(life.drain("second"));

    assertTrue(life.isDraining());
    assertEquals("first", life.failure());
    assertFalse(life.isFailureReported());
    assertTrue(life.claimFailure());
    assertTrue(life.isFailureReported());
    assertFalse(life.claimFailure());
  }

  @Test
  void drainsBeforeItIsDrained() {
    assertThrows(IllegalStateException.class, life::drained);
    life.drain("reason");
    life.drained();

    assertEquals(EndpointState.DRAINED, life.state());
    assertThrows(IllegalStateException.class, life::drained);
    assertFalse(life.drain("again"));
  }

  @Test
  void closesOnceFromEachState() {
    assertTrue(life.close());
    assertFalse(life.close());
    assertFalse(life.drain("late"));
    assertThrows(IllegalStateException.class, life::drained);

    LifeCycle draining = new LifeCycle();
    draining.drain("reason");
    assertTrue(draining.close());
    assertFalse(draining.claimFailure());

    LifeCycle drained = new LifeCycle();
    drained.drain("reason");
    drained.drained();
    assertTrue(drained.close());
    assertTrue(drained.isClosed());
  }

  @Test
  void onlyAReadyEndpointIsReady() {
    life.drain("reason");
    String message =
        assertThrows(IllegalStateException.class, life::requireReady).getMessage();

    assertEquals("the endpoint is DRAINING", message);
  }
}
