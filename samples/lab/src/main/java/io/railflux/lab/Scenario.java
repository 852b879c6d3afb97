package io.railflux.lab;

import io.railflux.crypto.CipherSuite;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.base.EngineConfig.Large.Pieces;
import io.railflux.engine.base.EngineHost.SequenceOrigins;
import io.railflux.engine.base.Security;
import io.railflux.fabric.Capabilities;
import io.railflux.fabric.sim.LinkModel;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.fabric.sim.SimTimings;
import io.railflux.policy.Rendezvous;
import io.railflux.security.Encryption;
import java.util.List;

/**
 * The kind of run that a seed creates.
 * @param network rails and their capabilities
 * @param connectors nodes that connect to the listening node
 * @param timing bounds of every engine
 * @param origins initial sequence numbers
 * @param faultNanos duration of the faults, 0 for none
 * @param security secrets and encryption of the nodes
 * @param load total size of the streams and requests of all links
 * @param bothListen whether each side knows the address of the other; the higher id then re-establishes a lost
 * connection
 */
record Scenario(
    SimConfig network,
    int connectors,
    EngineConfig.Timing timing,
    SequenceOrigins origins,
    long faultNanos,
    Security security,
    Load load,
    boolean bothListen) {

  /**
   * @param messages approximate number of messages over all links
   * @param flood whether most messages are requested at once and flow in one direction, so that rings stay full and
   * most returning frames carry credit
   */
  record Load(int messages, boolean flood) {}

  /** Limit of open streams that suffices for all streams of a run. */
  static final int ENOUGH_STREAMS = 64;

  private static final long MILLIS = 1_000_000;

  private static final LinkModel FAR = LinkModel.FAST.withLatency(20_000, 600_000);

  private static final List<String> SECRETS = List.of("what all nodes of a run know");

  static Scenario of(SeededRandom random) {
    Scenario drawn = new Scenario(
        network(random),
        random.chance(0.15) ? 2 : 1,
        timing(random),
        origins(random),
        random.chance(0.1) ? 0 : random.between(2, 60) * MILLIS,
        security(random),
        load(random),
        random.chance(0.5));
    if (drawn.load.flood) {
      return drawn.flooded(random);
    }
    return drawn.bothListen && random.chance(0.6) ? drawn.farApart(random) : drawn;
  }

  /**
   * Makes connections slow. The first side often retries at the time of the other side's first attempt, so that both
   * sides connect at the same time.
   */
  private Scenario farApart(SeededRandom random) {
    long detect = timing.detectNanos();
    long pause = random.chance(0.5) ? MILLIS : detect * 5 / 4;
    EngineConfig.RetryPolicy retry = timing.retry();
    return with(
        network.withLink(FAR),
        timing.withRetry(new EngineConfig.RetryPolicy(
            pause, Math.max(pause, retry.maxBackoffNanos()), retry.maxAttempts())),
        faultNanos);
  }

  private Scenario with(SimConfig newNetwork, EngineConfig.Timing newTiming, long newFaultNanos) {
    return new Scenario(
        newNetwork, connectors, newTiming, origins, newFaultNanos, security, load, bothListen);
  }

  /** Floods slow links only, where rings stay full. Runs without faults verify that no rail is given up. */
  private Scenario flooded(SeededRandom random) {
    long latency = random.micros(2, 50);
    LinkModel slow = new LinkModel(latency, latency, random.pick(150, 200, 300) * 1_000_000L);
    long faulty = random.chance(0.5) ? 0 : faultNanos;
    return with(network.withLink(slow), timing, faulty);
  }

  private static Load load(SeededRandom random) {
    boolean flood = random.chance(0.25);
    boolean few = !flood && random.chance(0.7);
    return new Load(few ? random.between(50, 900) : random.between(1_000, 4_000), flood);
  }

  /** Enables a secret in a share of the runs, and encryption in most of these. */
  private static Security security(SeededRandom random) {
    if (!random.chance(0.3)) {
      return Security.DEFAULT;
    }
    return Security.DEFAULT
        .withSecrets(() -> SECRETS)
        .withCipher(random.chance(0.5) ? CipherSuite.AES_256_GCM : CipherSuite.CHACHA20_POLY1305)
        .withEncryption(random.chance(0.75) ? Encryption.ALWAYS : Encryption.AUTO);
  }

  private boolean isFarApart() {
    return network.link().equals(FAR);
  }

  /** Returns a time that exceeds the time in flight of any frame on a healthy network. */
  long calmNanos() {
    return isFarApart() ? MILLIS : MILLIS / 2;
  }

  /** Returns the time from the end of the faults to the end of all flows, which also bounds each step of the close. */
  long progressNanos() {
    return (isFarApart() ? 10_000 : 3_000) * MILLIS;
  }

  /** Returns whether frames are encrypted. Only then may the network alter frames. */
  boolean isSealed() {
    return security.encryption() == Encryption.ALWAYS;
  }

  private static SimConfig network(SeededRandom random) {
    SimConfig kind = switch (random.below(5)) {
      case 0 -> SimConfig.rdma();
      case 1 -> SimConfig.tcp();
      case 2, 3 -> SimConfig.unordered();
      default -> SimConfig.mapped();
    };
    int depth = random.pick(32, 64, 128);
    int rails = random.pick(1, 1, 1, 1, 1, 2, 2, 2, 2, 3);
    SimConfig network = kind.withRails(rails)
        .withCapabilities(withDepth(kind, depth))
        .withLink(link(random))
        .withTimings(timings(random));
    boolean mixed = rails > 1 && !kind.capabilities().mapped() && random.chance(0.3);
    return mixed
        ? network.withRails(rails - 1).withFirstRail(withDepth(SimConfig.mapped(), depth))
        : network;
  }

  private static Capabilities withDepth(SimConfig kind, int depth) {
    Capabilities can = kind.capabilities();
    return new Capabilities(
        can.features(),
        can.maxSendBytes(),
        can.maxInlineBytes(),
        depth,
        depth,
        can.eagerLimitBytes(),
        can.maxOutstandingReads());
  }

  private static LinkModel link(SeededRandom random) {
    return switch (random.below(4)) {
      case 0 -> LinkModel.FAST.withLatency(500, 1_000);
      case 1 -> LinkModel.FAST.withLatency(20_000, 200_000);
      case 2 -> LinkModel.FAST.withRate(200_000_000);
      default -> LinkModel.FAST;
    };
  }

  private static SimTimings timings(SeededRandom random) {
    long retry = random.pick(2, 4, 8) * MILLIS;
    return new SimTimings(
        retry,
        retry / 4,
        SimTimings.NEVER,
        random.pick(2, 5) * MILLIS,
        10 * MILLIS,
        random.micros(1, 200),
        random.micros(1, 10));
  }

  private static EngineConfig.Timing timing(SeededRandom random) {
    return new EngineConfig.Timing(
        random.pick(4, 10, 20) * MILLIS,
        400 * MILLIS,
        10 * MILLIS,
        300 * MILLIS,
        random.pick(0, 0, 0, 2) * MILLIS,
        new EngineConfig.RetryPolicy(
            MILLIS, 16 * MILLIS, EngineConfig.RetryPolicy.DEFAULT.maxAttempts()));
  }

  /** Returns origins just below every wrap, so that a run crosses each of them. */
  private static SequenceOrigins origins(SeededRandom random) {
    long psn = origin(random);
    long stream = origin(random);
    return new SequenceOrigins() {
      @Override
      public long firstPsn() {
        return psn;
      }

      @Override
      public long firstStreamSeq() {
        return stream;
      }
    };
  }

  private static long origin(SeededRandom random) {
    long before = random.between(0, 60);
    return switch (random.below(6)) {
      case 0 -> 0;
      case 1 -> Integer.MAX_VALUE - before;
      case 2 -> (1L << 32) - before;
      case 3 -> Long.MAX_VALUE - before;
      case 4 -> -before;
      default -> random.nextLong();
    };
  }

  /** Returns the memory limits of one node. The nodes of a run may have different limits. */
  EngineConfig.Limits limits(SeededRandom random) {
    int ring = (load.flood ? 64 : random.pick(64, 64, 64, 128, 256)) << 10;
    return new EngineConfig.Limits(
        ring,
        random.pick(ring, ring, 2 * ring),
        random.pick(1024, 1024, 2048),
        largest(random, ring),
        random.chance(0.8) ? ENOUGH_STREAMS : random.between(1, 6),
        random.chance(0.6) ? 16 : random.between(1, 3),
        16);
  }

  /** Returns the largest message, which often fits the ring and sometimes does not. */
  private int largest(SeededRandom random, int ring) {
    if (load.flood) {
      return ring / 8;
    }
    return switch (random.below(10)) {
      case 0 -> 64;
      case 1 -> 1_000;
      case 2 -> 4_096;
      case 3 -> random.between(20_000, 100_000);
      default -> ring / 8;
    };
  }

  /** Returns the threshold, the mode and the memory of rendezvous. */
  EngineConfig.Large large(SeededRandom random) {
    Pieces pieces = new Pieces(
        random.pick(512, 2_000, 256 << 10),
        random.pick(1_000, 5_000, 16 << 20),
        random.pick(4, 16, 64) << 10);
    return new EngineConfig.Large(
        random.chance(load.flood ? 0.9 : 0.5) ? 0 : random.pick(16, 200, 1_000, 4_000),
        random.pick(64, 128, 1024) << 10,
        random.pick(64, 128, 1024) << 10,
        Rendezvous.values()[random.below(3)],
        pieces);
  }

  /** Describes the scenario for a reader. */
  String describe() {
    return network.rails()
        + " rails, "
        + network.capabilitiesOf(0).features()
        + " and "
        + network.capabilities().features()
        + ", queue "
        + network.capabilities().sendQueueDepth()
        + ", "
        + network.link()
        + ", "
        + connectors
        + " connectors, "
        + timing
        + ", first PSN "
        + origins.firstPsn()
        + ", first stream number "
        + origins.firstStreamSeq()
        + ", faults for "
        + faultNanos / 1_000
        + " us, about "
        + load.messages()
        + (load.flood ? " messages in a flood" : " messages")
        + (security.secrets() == null ? "" : ", secret, encryption " + security.encryption());
  }
}
