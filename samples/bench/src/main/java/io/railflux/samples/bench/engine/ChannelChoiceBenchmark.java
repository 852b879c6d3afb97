package io.railflux.samples.bench.engine;

import io.railflux.policies.channels.AdaptiveParameters;
import io.railflux.policies.channels.BestMapping;
import io.railflux.policies.channels.Channels;
import io.railflux.policy.ChannelKind;
import io.railflux.policy.ChannelPolicy;
import io.railflux.policy.ChannelTraffic;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** The cost of adaptive channels for 4,096 peers, with the parameters of the paper (τ 256, h 26). */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseParallelGC")
public class ChannelChoiceBenchmark {

  private static final int PEERS = 4_096;
  private static final int TICKS = 16;
  private static final AdaptiveParameters PARAMETERS = AdaptiveParameters.PAPER;

  private final BestMapping best = new BestMapping(PARAMETERS);
  private final ChannelPolicy policy = Channels.adaptive(PARAMETERS).get();
  private final MovingTraffic traffic = new MovingTraffic();
  private final long[] descending = new long[PEERS];

  @Setup
  public void sort() {
    long[] ascending = traffic.messages[0].clone();
    Arrays.sort(ascending);
    for (int i = 0; i < PEERS; i++) {
      descending[i] = ascending[PEERS - 1 - i];
    }
  }

  /** Records, compares two windows, and sometimes moves. */
  @Benchmark
  public long tick() {
    traffic.tick++;
    policy.decide(traffic);
    return traffic.choices;
  }

  @Benchmark
  public long bestMapping() {
    best.find(descending, PEERS);
    return best.reductionPicos();
  }

  /** T Figure 6 as printed, with {@code m <= l}. */
  @Benchmark
  public long bestMappingByDoubleLoop() {
    AdaptiveParameters.Gains gains = PARAMETERS.gains();
    long reductionPicos = 0;
    for (int l = 0; l <= PARAMETERS.limits().maxRings(); l++) {
      for (int m = 0; m <= Math.min(l, PARAMETERS.limits().maxDedicated()); m++) {
        long value = -m * PARAMETERS.setup().dedicatedPicos()
            - (l - m) * PARAMETERS.setup().sharedPicos();
        for (int i = 0; i < l; i++) {
          long gain = i < m ? gains.dedicatedPicos() : gains.sharedPicos();
          value += descending[i] * (gain - gains.creditPicos() / gains.messagesPerCredit());
        }
        value -= descending[0] * gains.failedPollPicos() * l / 2;
        reductionPicos = Math.max(reductionPicos, value);
      }
    }
    return reductionPicos;
  }

  /** Many quiet peers and a few busy ones, which change from tick to tick. */
  private static final class MovingTraffic implements ChannelTraffic {

    final long[][] messages = new long[TICKS][PEERS];
    final ChannelKind[] kinds = new ChannelKind[PEERS];
    int tick;
    long choices;

    MovingTraffic() {
      Random random = new Random(1);
      Arrays.fill(kinds, ChannelKind.POOLED);
      for (long[] ofTick : messages) {
        for (int peer = 0; peer < PEERS; peer++) {
          ofTick[peer] = (long) Math.exp(12 * random.nextDouble() * random.nextDouble());
        }
      }
    }

    @Override
    public int peers() {
      return PEERS;
    }

    @Override
    public boolean isPresent(int peer) {
      return true;
    }

    @Override
    public ChannelKind kind(int peer) {
      return kinds[peer];
    }

    @Override
    public long receivedMessages(int peer) {
      // Each pattern lasts for 32 ticks.
      return messages[(tick >>> 5) % TICKS][peer];
    }

    @Override
    public long receivedBytes(int peer) {
      return receivedMessages(peer);
    }

    @Override
    public long sentMessages(int peer) {
      return 0;
    }

    @Override
    public long sentBytes(int peer) {
      return 0;
    }

    @Override
    public int largestReceivedBytes(int peer) {
      return 1;
    }

    @Override
    public long tickNanos() {
      return 1_000_000_000;
    }

    @Override
    public int maxDedicated() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void choose(int peer, ChannelKind kind, double gainPerMessageNanos) {
      kinds[peer] = kind;
      choices++;
    }
  }
}
