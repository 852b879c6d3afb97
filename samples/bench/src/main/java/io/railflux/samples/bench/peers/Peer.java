package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.SocketMode;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** Those there are: the least that carries messages, and what users might pick. */
public enum Peer {
  RAW_RING("raw", Set.of("shm"), RingContender::new),
  RAW_SPINNING("raw", Set.of("tcp"), () -> new SocketContender(SocketMode.SPINNING)),
  RAW_BLOCKING("raw", Set.of("tcp"), () -> new SocketContender(SocketMode.BLOCKING)),
  AERON_IPC("aeron", Set.of("shm"), () -> new AeronContender(false)),
  AERON_UDP("aeron", Set.of("tcp"), () -> new AeronContender(true)),
  NETTY("netty", Set.of("shm", "tcp"), NettyContender::new),
  RSOCKET("rsocket", Set.of("shm", "tcp"), RSocketContender::new),
  GRPC("grpc", Set.of("shm", "tcp"), GrpcContender::new);

  private final String choice;
  private final Set<String> fabrics;
  private final Supplier<Contender> maker;

  Peer(String choice, Set<String> fabrics, Supplier<Contender> maker) {
    this.choice = choice;
    this.fabrics = fabrics;
    this.maker = maker;
  }

  /** What people choose it by, the first part of its name; several may share one. */
  public String choice() {
    return choice;
  }

  /** Whether users might pick it instead of that fabric of Railflux, or it is the least that does the same. */
  public boolean comparesWith(String fabric) {
    return fabrics.contains(fabric);
  }

  /** A side of it. */
  public Contender make() {
    return maker.get();
  }

  /** As results call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
