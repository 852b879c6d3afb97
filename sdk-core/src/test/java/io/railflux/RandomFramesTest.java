package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.railflux.message.Codecs;
import io.railflux.wire.FrameFlags;
import io.railflux.wire.FrameType;
import io.railflux.wire.OpenFrame;
import io.railflux.wire.Region;
import io.railflux.wire.RendezvousStart;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * An authenticated peer sends random frames that are well-formed and correctly sealed, which pass the decoders. Each
 * seed is another peer. The node may end the session, but never fails.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@ParameterizedClass(name = "{0}")
@EnumSource(
    value = Ground.class,
    names = {"SHM", "TCP_SECRET", "TCP_SEALED"})
class RandomFramesTest {

  private static final int PEERS = Integer.getInteger("railflux.test.randomPeers", 40);
  private static final int FRAMES = 60;
  private static final int[] FLAGS = {
    FrameFlags.LAST,
    FrameFlags.REPLY,
    FrameFlags.UNBOUNDED,
    FrameFlags.PIGGYBACK,
    FrameFlags.TIME_TO_LIVE,
    FrameFlags.SKIPPABLE
  };
  private static final long[] EXTREMES = {
    -1, Long.MIN_VALUE, Long.MAX_VALUE, Integer.MAX_VALUE, 1L << 32
  };

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  @Parameter
  Ground ground;

  @Test
  void endNothingButTheirOwnSession() throws Exception {
    PrintStream before = System.err;
    ByteArrayOutputStream logged = new ByteArrayOutputStream();
    System.setErr(new PrintStream(logged, true, StandardCharsets.UTF_8));
    try {
      talk();
    } finally {
      System.setErr(before);
    }
    String log = logged.toString(StandardCharsets.UTF_8);
    assertFalse(log.contains("] ERROR "), log);
  }

  private void talk() throws Exception {
    Node server = nodes.start("server", config -> ground.configure(config, leaks.directory()));
    String address = server.bind(ground.newAddress(nodes)).block(Nodes.PATIENCE);
    server.respond(new Route<>("r", Codecs.int32(), Codecs.int32()), Mono::just);
    server.peers().subscribe(peer -> {
      peer.receive("a", Codecs.int32()).subscribe(n -> {}, e -> {});
      peer.receive("b", Codecs.utf8()).limitRate(2).subscribe(n -> {}, e -> {});
      peer.send("c", Codecs.int32(), Flux.range(0, 100)).subscribe(x -> {}, e -> {});
    });
    Node client = nodes.start("honest", config -> ground.configure(config, leaks.directory()));
    Nodes.Pair honest = nodes.join(server, client, address);
    for (int seed = 1; seed <= PEERS; seed++) {
      try (RawPeer peer = RawPeer.accepted(ground, leaks.directory(), address)) {
        babble(peer, new Random(seed));
      }
    }
    var both = Mono.zip(
        honest.toClient().receive("alive", Codecs.int32()).collectList(),
        honest.toServer().send("alive", Codecs.int32(), Flux.just(1, 2)).thenReturn(true));
    assertEquals(List.of(1, 2), both.block(Nodes.PATIENCE).getT1());
  }

  private static void babble(RawPeer peer, Random random) {
    int opened = 0;
    for (int i = 0; i < FRAMES && peer.failure() == null; i++) {
      int type = random.nextInt(FrameType.DATA, FrameType.RNDZ_DONE + 1);
      // Other frames refer to streams, so some have to be opened.
      boolean opens = type == FrameType.OPEN || random.nextInt(3) == 0;
      int flags = random.nextInt(4) == 0 ? FLAGS[random.nextInt(FLAGS.length)] : 0;
      long id = opens ? ++opened : random.nextInt(opened + 1);
      long number = random.nextInt(opens ? 2 : 4);
      boolean extreme = random.nextInt(40) == 0;
      peer.frame(
          opens ? FrameType.OPEN : type,
          flags,
          extreme && random.nextBoolean() ? extreme(random) : id,
          extreme ? extreme(random) : number,
          body(opens ? FrameType.OPEN : type, random));
      peer.turn();
    }
  }

  private static long extreme(Random random) {
    return EXTREMES[random.nextInt(EXTREMES.length)];
  }

  private static Consumer<ByteBuffer> body(int type, Random random) {
    if (random.nextInt(20) == 0) {
      byte[] bytes = new byte[random.nextInt(200)];
      random.nextBytes(bytes);
      return target -> target.put(bytes);
    }
    return switch (type) {
      case FrameType.OPEN -> open(random)::encode;
      case FrameType.RNDZ_START -> start(random)::encode;
      default ->
        target -> {
          for (int i = random.nextInt(5); i >= 0; i--) {
            target.putInt(random.nextInt(5) == 0 ? random.nextInt() : random.nextInt(4));
          }
        };
    };
  }

  private static RendezvousStart start(Random random) {
    int length = random.nextInt(1, 1 << random.nextInt(1, 30));
    Region region = new Region(random.nextInt(3), length + random.nextInt(2), random.nextInt(2));
    boolean holds = region.bytes() - region.offset() >= length;
    int subchannel = holds ? random.nextInt(3) - 1 : -1;
    return new RendezvousStart(
        random.nextInt(1, 6),
        length,
        subchannel,
        region,
        random.nextInt(2),
        subchannel < 0 ? stripes(random, length) : List.of());
  }

  private static List<RendezvousStart.Stripe> stripes(Random random, int length) {
    List<RendezvousStart.Stripe> stripes = new ArrayList<>();
    for (int left = random.nextBoolean() ? length : 0; left > 0; ) {
      int piece = stripes.size() < 3 ? random.nextInt(1, left + 1) : left;
      stripes.add(new RendezvousStart.Stripe(random.nextInt(3), piece));
      left -= piece;
    }
    return stripes;
  }

  private static OpenFrame open(Random random) {
    String[] names = {"a", "b", "r", "x"};
    String name = names[random.nextInt(names.length)];
    boolean route = name.equals("r");
    return new OpenFrame(
        route ? OpenFrame.ROUTE : OpenFrame.STREAM,
        name,
        name.equals("b") ? "utf8" : "int32",
        route ? "int32" : "");
  }
}
