package io.railflux.fabric.disni.queue;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.junit.jupiter.api.Test;

class NudgesTest {

  private final Nudges nudges = new Nudges();

  @Test
  void owesNothingInitially() {
    assertFalse(nudges.isOwed(0));
  }

  @Test
  void owesAWakeUpOnce() {
    nudges.oweWakeUp();
    assertTrue(nudges.isOwed(0));
    nudges.sent(0);
    assertFalse(nudges.isOwed(0));
  }

  @Test
  void reportsReceivedMessages() {
    assertTrue(nudges.isOwed(3));
    nudges.sent(3);
    assertFalse(nudges.isOwed(3));
  }

  @Test
  void sendsNoMoreThanThePeerHasSlots() {
    int sent = 0;
    while (nudges.isAllowed()) {
      nudges.sent(0);
      sent++;
    }
    assertTrue(sent < Nudges.LIMIT, () -> "no slot is left for urgent messages");
    assertTrue(nudges.received(sent));
    assertTrue(nudges.isAllowed());
  }

  @Test
  void rejectsInvalidCountsOfThePeer() {
    nudges.sent(0);
    nudges.sent(0);
    assertFalse(nudges.received(3));
    assertTrue(nudges.received(2));
    assertFalse(nudges.received(1));
  }

  /** Each message arrives some time after it was sent. Neither side may be silent forever. */
  @Test
  void twoBusySidesNeverOverrunNorBlockEachOther() {
    for (long seed = 0; seed < 200; seed++) {
      Talk talk = new Talk(seed);
      for (int step = 0; step < 2_000; step++) {
        talk.step();
      }
      talk.finish();
    }
  }

  /** Two sides and the messages between them. */
  private static final class Talk {

    private final Random random;
    private final Nudges[] sides = {new Nudges(), new Nudges()};
    private final int[] underWay = new int[2];

    Talk(long seed) {
      random = new Random(seed);
    }

    void step() {
      int side = random.nextInt(2);
      if (random.nextBoolean()) {
        sides[side].oweWakeUp();
        send(side);
      } else {
        received(side);
      }
    }

    void finish() {
      sides[0].oweWakeUp();
      sides[1].oweWakeUp();
      for (int i = 0; i < 4 * Nudges.LIMIT; i++) {
        received(0);
        received(1);
        send(0);
        send(1);
      }
      assertFalse(sides[0].isOwed(0), "blocked");
      assertFalse(sides[1].isOwed(0), "blocked");
    }

    private void send(int side) {
      if (sides[side].isOwed(0) && sides[side].isAllowed()) {
        sides[side].sent(0);
        underWay[side]++;
        assertTrue(underWay[side] <= Nudges.LIMIT, "overrun");
      }
    }

    private void received(int side) {
      int other = 1 - side;
      if (underWay[other] > 0) {
        underWay[other]--;
        assertTrue(sides[side].received(sides[other].seen()));
        send(side);
      }
    }
  }
}
