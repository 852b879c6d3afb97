package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.SocketMode;
import java.util.Locale;
import java.util.Optional;

/** The available peers: baselines, and alternatives for users. */
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

  /** Returns the name by which users select the peer. Several peers may share one. */
  public String choice() {
    return choice;
  }

  /** Returns whether the peer is an alternative to, or a baseline of, a fabric of Railflux. */
  public boolean comparesWith(String fabric) {
    return switch (this) {
      case RAW_RING, RAW_DOORBELL, AERON_IPC, JUCX_SHM -> fabric.equals("shm");
      case RAW_SPINNING, RAW_BLOCKING, AERON_UDP, JUCX_TCP -> fabric.equals("tcp");
      case MEMORY_COPY, NETTY, RSOCKET, GRPC -> true;
    };
  }

  /** Returns the reason why the peer cannot run on this machine, or empty. */
  public Optional<String> absence() {
    return this == JUCX_SHM || this == JUCX_TCP ? UcxContender.absence() : Optional.empty();
  }

  /** Returns whether the peer supports an exchange. */
  public boolean does(Exchange exchange) {
    return switch (this) {
      case MEMORY_COPY -> exchange == Exchange.ONE_WAY;
      case RAW_DOORBELL -> exchange.sleeps();
      case RAW_BLOCKING -> true;
      // Spinning peers need no wake-up. The others build on blocking sockets or an equivalent.
      default -> !exchange.sleeps();
    };
  }

  /** Creates one side of the peer. */
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

  /** Returns the name in the results. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
