package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.SocketMode;
import java.util.Locale;
import java.util.Optional;

/** Those there are: the least that carries messages, and what users might pick. */
public enum Peer {
  RAW_RING("raw"),
  RAW_DOORBELL("raw"),
  RAW_SPINNING("raw"),
  RAW_BLOCKING("raw"),
  MEMORY_COPY("raw"),
  AERON_IPC("aeron"),
  AERON_UDP("aeron"),
  JUCX_SHM("jucx"),
  JUCX_TCP("jucx"),
  NETTY("netty"),
  RSOCKET("rsocket"),
  GRPC("grpc");

  private final String choice;

  Peer(String choice) {
    this.choice = choice;
  }

  /** What people choose it by; several may share one. */
  public String choice() {
    return choice;
  }

  /** Whether users might pick it instead of that fabric of Railflux, or it is the least that does the same. */
  public boolean comparesWith(String fabric) {
    return switch (this) {
      case RAW_RING, RAW_DOORBELL, AERON_IPC, JUCX_SHM -> fabric.equals("shm");
      case RAW_SPINNING, RAW_BLOCKING, AERON_UDP, JUCX_TCP -> fabric.equals("tcp");
      case MEMORY_COPY, NETTY, RSOCKET, GRPC -> true;
    };
  }

  /** Why it cannot run on this machine; empty if it can. */
  public Optional<String> absence() {
    return this == JUCX_SHM || this == JUCX_TCP ? UcxContender.absence() : Optional.empty();
  }

  /** Whether it can do that. */
  public boolean does(Exchange exchange) {
    return switch (this) {
      case MEMORY_COPY -> exchange == Exchange.ONE_WAY;
      case RAW_DOORBELL -> exchange.sleeps();
      case RAW_BLOCKING -> true;
      // Those that spin have nobody to wake; the others build on blocking sockets, or their like.
      default -> !exchange.sleeps();
    };
  }

  /** A side of it. */
  public Contender make() {
    return switch (this) {
      case RAW_RING -> new RingContender();
      case RAW_DOORBELL -> new DoorbellContender();
      case RAW_SPINNING -> new SocketContender(SocketMode.SPINNING);
      case RAW_BLOCKING -> new SocketContender(SocketMode.BLOCKING);
      case MEMORY_COPY -> new MemoryCopyContender();
      case AERON_IPC -> new AeronContender(false);
      case AERON_UDP -> new AeronContender(true);
      case JUCX_SHM -> new UcxContender(UcxContender.SHARED_MEMORY);
      case JUCX_TCP -> new UcxContender(UcxContender.TCP);
      case NETTY -> new NettyContender();
      case RSOCKET -> new RSocketContender();
      case GRPC -> new GrpcContender();
    };
  }

  /** As results call it. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
