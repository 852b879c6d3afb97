package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

abstract class WakeContract extends ContractCase {

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Shared shared;

  @BeforeEach
  void share() throws Exception {
    connect();
    shared = share(1024, Access.REMOTE_ALL);
    fixture.settle();
  }

  @Test
  void notificationAfterArmingWakes() {
    fixture.remote().arm();
    publish(1);

    assertTrue(fixture.sleep(fixture.remote()), "slept through");
    assertEquals(1, published());
  }

  @Test
  void writesBeforeTheNotificationAreVisibleAfterTheWakeUp() {
    for (long round = 1; round <= 20; round++) {
      fixture.remote().arm();
      publish(round);
      assertTrue(fixture.sleep(fixture.remote()), "slept through");
      assertEquals(round, published());
      fixture.local().poll(16);
    }
  }

  @Test
  void awakeFabricReceivesNoWakeUp() {
    publish(1);

    assertTrue(fixture.sleepsOn(fixture.remote()), "woken without being armed");
    assertEquals(1, published());
  }

  @Test
  void pollAfterArmingFindsEarlierEvents() {
    publish(1);
    fixture.settle();
    fixture.remote().arm();

    assertEquals(1, published());
  }

  @Test
  void armingCoversOneWakeUp() {
    fixture.remote().arm();
    publish(1);
    assertTrue(fixture.sleep(fixture.remote()), "slept through");
    fixture.settle();
    publish(2);

    assertTrue(fixture.sleepsOn(fixture.remote()), "woken twice by one arming");
    fixture.remote().arm();
    publish(3);
    assertTrue(fixture.sleep(fixture.remote()), "slept through after arming again");
  }

  @Test
  void disarmingCancelsTheWakeUp() {
    fixture.remote().arm();
    fixture.remote().disarm();
    publish(1);

    assertTrue(fixture.sleepsOn(fixture.remote()), "woken although disarmed");
  }

  @Test
  void noWakeUpIsLostForAnyTiming() {
    for (long round = 1; round <= 200; round++) {
      publish(round);
      while (published() < round) {
        fixture.remote().arm();
        boolean seen = published() == round || fixture.remote().poll(16) > 0;
        assertTrue(seen || fixture.sleep(fixture.remote()), "slept through " + round);
        fixture.remote().disarm();
      }
      fixture.local().poll(16);
    }
  }

  @Test
  void incomingSendWakes() {
    far.receive(1, 0, 64);
    fixture.settle();
    fixture.remote().arm();
    near.send(2, 0, 64);

    assertTrue(fixture.sleep(fixture.remote()), "slept through");
    awaitReceives(1);
  }

  @Test
  void incomingConnectionWakes() throws Exception {
    try (Fabric.Listening listening =
        fixture.remote().listen(fixture.freeLocation(), far.callbacks)) {
      fixture.remote().arm();
      fixture.local().connect(listening.location(), 1, near.callbacks);

      assertTrue(fixture.sleep(fixture.remote()), "slept through");
    }
  }

  @Test
  void endOfARequestWakes() {
    far.receive(1, 0, 64);
    fixture.local().arm();
    near.send(2, 0, 64);

    assertTrue(fixture.sleep(fixture.local()), "slept through");
    awaitRequests(1);
  }

  private void publish(long word) {
    near.memory.memory().putLong(0, word);
    post(() -> near.post(
        new WorkRequest().write(near.memory, 0, 8, shared.attached(), 0).withId(word)));
    near.endpoint.notifyPeer();
  }

  private long published() {
    return (long) LONGS.getAcquire(shared.exposed().memory(), 0);
  }
}
