package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.SocketMode;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;

/** All there are. */
public enum Contenders {
  RING("raw", Set.of("shm"), RingContender::new),
  SOCKET_SPINNING("raw", Set.of("tcp"), () -> new SocketContender(SocketMode.SPINNING)),
  SOCKET_BLOCKING("raw", Set.of("tcp"), () -> new SocketContender(SocketMode.BLOCKING)),
  AERON_IPC("aeron", Set.of("shm"), AeronContender::ipc),
  AERON_UDP("aeron", Set.of("tcp"), AeronContender::udp),
  REACTOR_NETTY("netty", Set.of("shm", "tcp"), NettyContender::new),
  RSOCKET("rsocket", Set.of("shm", "tcp"), RSocketContender::new),
  GRPC("grpc", Set.of("shm", "tcp"), GrpcContender::new);

  private final String peer;
  private final Set<String> fabrics;
  private final Supplier<Contender> maker;

  Contenders(String peer, Set<String> fabrics, Supplier<Contender> maker) {
    this.peer = peer;
    this.fabrics = fabrics;
    this.maker = maker;
  }

  /** What people choose it by; several may share one. */
  public String peer() {
    return peer;
  }

  /** Whether users might pick it instead of that fabric of Railflux, or it is the least that does the same. */
  public boolean comparesWith(String fabric) {
    return fabrics.contains(fabric);
  }

  public Contender make() {
    return maker.get();
  }

  /** As results call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
