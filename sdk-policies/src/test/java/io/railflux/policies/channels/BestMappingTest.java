package io.railflux.policies.channels;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.policies.channels.AdaptiveParameters.ChoiceLimits;
import io.railflux.policies.channels.AdaptiveParameters.Gains;
import io.railflux.policies.channels.AdaptiveParameters.Setup;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The mapping of channels with the largest reduction of latency (T Figure 6). */
@Tag("CH4")
class BestMappingTest {

  private static final int INPUTS = 10_000;
  private static final int UNLIMITED = Integer.MAX_VALUE;

  /** The paper's double loop, with {@code m <= l}; a dedicated ring costs no set-up where the endpoint exists. */
  private static long[] byDoubleLoop(
      AdaptiveParameters parameters, long[] messages, boolean[] hasEndpoint, int maxNew) {
    Gains gains = parameters.gains();
    Setup setup = parameters.setup();
    long[] best = {0, 0, 0};
    int rings = Math.min(parameters.limits().maxRings(), messages.length);
    for (int l = 0; l <= rings; l++) {
      for (int m = 0; m <= Math.min(l, parameters.limits().maxDedicated()); m++) {
        long value = 0;
        int created = 0;
        for (int i = 0; i < l; i++) {
          created += i < m && !hasEndpoint[i] ? 1 : 0;
          long gain = i < m ? gains.dedicatedPicos() : gains.sharedPicos();
          value += messages[i] * (gain - gains.creditPicos() / gains.messagesPerCredit());
        }
        value -= created * setup.dedicatedPicos() + (l - m) * setup.sharedPicos();
        value -= l == 0 ? 0 : messages[0] * gains.failedPollPicos() * l / 2;
        if (value > best[2] && created <= maxNew) {
          best = new long[] {l, m, value};
        }
      }
    }
    return best;
  }

  private static long[] byDoubleLoop(AdaptiveParameters parameters, long[] messages) {
    return byDoubleLoop(parameters, messages, new boolean[messages.length], UNLIMITED);
  }

  private static long[] found(BestMapping best) {
    return new long[] {best.rings(), best.dedicated(), best.reductionPicos()};
  }

  private static long[] find(AdaptiveParameters parameters, long... messages) {
    BestMapping best = new BestMapping(parameters);
    best.find(messages, messages.length);
    return found(best);
  }

  private static long[] descending(Random random, int peers) {
    int magnitude = 1 + random.nextInt(6);
    long[] messages = new long[peers];
    for (int i = 0; i < peers; i++) {
      messages[i] = random.nextInt(3) * (long) Math.pow(10, magnitude * random.nextDouble());
    }
    Arrays.sort(messages);
    for (int i = 0; i < peers / 2; i++) {
      long other = messages[i];
      messages[i] = messages[peers - 1 - i];
      messages[peers - 1 - i] = other;
    }
    return messages;
  }

  private static AdaptiveParameters random(Random random) {
    return new AdaptiveParameters(
        new Gains(
            random.nextInt(200_000),
            random.nextInt(200_000),
            random.nextInt(400_000),
            1 + random.nextInt(32),
            random.nextInt(20_000)),
        new Setup(random.nextInt(20_000_000), random.nextInt(20_000_000)),
        new ChoiceLimits(random.nextInt(24), random.nextInt(12), 128, 2_048, 25_000));
  }

  @Test
  void equalsTheDoubleLoopOfThePaper() {
    Random random = new Random(1);
    for (int i = 0; i < INPUTS; i++) {
      AdaptiveParameters parameters = i % 2 == 0 ? AdaptiveParameters.PAPER : random(random);
      long[] messages = descending(random, random.nextInt(32));
      assertEquals(
          Arrays.toString(byDoubleLoop(parameters, messages)),
          Arrays.toString(find(parameters, messages)),
          () -> parameters + " " + Arrays.toString(messages));
    }
  }

  /** T Figure 7: the limit leaves two dedicated rings to the two busiest of four peers. */
  @Test
  void theBusiestPeersGetTheDedicatedRings() {
    AdaptiveParameters parameters = new AdaptiveParameters(
        AdaptiveParameters.PAPER.gains(),
        AdaptiveParameters.PAPER.setup(),
        new ChoiceLimits(256, 2, 128, 2_048, 25_000));
    long[] found = find(parameters, 10_000, 9_000, 8_000, 7_000);
    assertEquals(4, found[0]);
    assertEquals(2, found[1]);
  }

  @Test
  void quietPeersStayPooled() {
    assertEquals("[0, 0, 0]", Arrays.toString(find(AdaptiveParameters.PAPER, 10, 5, 1)));
    assertEquals("[0, 0, 0]", Arrays.toString(find(AdaptiveParameters.PAPER)));
  }

  @Test
  void equalsTheDoubleLoopWhereEndpointsExist() {
    Random random = new Random(2);
    for (int i = 0; i < INPUTS; i++) {
      AdaptiveParameters parameters = i % 2 == 0 ? AdaptiveParameters.PAPER : random(random);
      long[] messages = descending(random, random.nextInt(32));
      boolean[] hasEndpoint = new boolean[messages.length];
      for (int peer = 0; peer < messages.length; peer++) {
        hasEndpoint[peer] = random.nextBoolean();
      }
      int maxNew = random.nextInt(8);
      BestMapping best = new BestMapping(parameters);
      best.find(messages, hasEndpoint, messages.length, UNLIMITED, maxNew);
      assertEquals(
          Arrays.toString(byDoubleLoop(parameters, messages, hasEndpoint, maxNew)),
          Arrays.toString(found(best)),
          () -> parameters + " " + Arrays.toString(messages) + Arrays.toString(hasEndpoint));
    }
  }

  @Test
  void theNodeLimitsTheDedicatedRings() {
    BestMapping best = new BestMapping(AdaptiveParameters.PAPER);
    long[] messages = {100_000, 90_000, 80_000};
    best.find(messages, new boolean[3], 3, 1, UNLIMITED);
    assertEquals(3, best.rings());
    assertEquals(1, best.dedicated());
  }

  /** T 3.2: endpoints that exist count against the limit unless they are reused. */
  @Test
  void existingEndpointsShrinkTheLimit() {
    BestMapping best = new BestMapping(AdaptiveParameters.PAPER);
    long[] messages = {100_000, 90_000, 80_000, 70_000};
    best.find(messages, new boolean[] {false, true, false, true}, 4, UNLIMITED, 1);
    assertEquals(4, best.rings());
    assertEquals(2, best.dedicated());
  }

  /** T 3.4: 75 messages gain 9.6 us over a dedicated ring, less than the set-up of 10 us. */
  @Test
  void anExistingEndpointCostsNoSetup() {
    BestMapping best = new BestMapping(AdaptiveParameters.PAPER);
    long[] messages = {75};
    best.find(messages, new boolean[] {false}, 1, UNLIMITED, UNLIMITED);
    assertEquals(0, best.rings());
    best.find(messages, new boolean[] {true}, 1, UNLIMITED, UNLIMITED);
    assertEquals(1, best.dedicated());
  }

  /** Polling grows with the number of rings: it bounds the number of peers that benefit. */
  @Test
  void manyEquallyBusyPeersDoNotAllGetARing() {
    long[] messages = new long[200];
    Arrays.fill(messages, 1_000);
    long[] found = find(AdaptiveParameters.PAPER, messages);
    assertEquals(
        Arrays.toString(byDoubleLoop(AdaptiveParameters.PAPER, messages)), Arrays.toString(found));
  }
}
