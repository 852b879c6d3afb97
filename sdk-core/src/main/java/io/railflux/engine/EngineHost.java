package io.railflux.engine;

import io.netty.channel.IoEventLoop;

/** What drives an engine: a real thread with a clock, or a simulation (D13). */
public interface EngineHost {

  /** Whether the caller runs on the thread that drives the engine. */
  boolean inEngine();

  /** Ends the engine's sleep, or keeps it from beginning the next one. Any thread. */
  void wakeUp();

  /** 64 bits for identities and keys: secure in production, seeded in simulation. */
  long randomLong();

  /** Runs what takes long and does not touch the engine, aside where there is real time. */
  default void aside(Runnable task) {
    task.run();
  }

  /** As {@link io.railflux.fabric.FabricContext#eventLoop}. */
  default IoEventLoop eventLoop() {
    throw new UnsupportedOperationException("no real I/O here");
  }

  /** As {@link io.railflux.fabric.FabricContext#justSlept}. */
  default boolean justSlept() {
    return false;
  }

  /** As {@link io.railflux.fabric.FabricContext#pollIo}. */
  int pollIo();

  /** Where sequence numbers begin; a simulation starts them near every wrap. */
  default SequenceOrigins origins() {
    return SequenceOrigins.ZERO;
  }

  /** First numbers of a session and of a stream. */
  interface SequenceOrigins {

    SequenceOrigins ZERO = new SequenceOrigins() {};

    default long firstPsn() {
      return 0;
    }

    default long firstStreamSeq() {
      return 0;
    }
  }
}
