package io.railflux.engine.base;

import io.railflux.buffer.MemorySource;
import io.railflux.fabric.SocketLoop;

/** Driver of an engine: a real thread with a clock, or a simulation (D13). */
public interface EngineHost {

  /** Whether the caller runs on the thread that drives the engine. */
  boolean inEngine();

  /** Ends the engine's sleep, or prevents the next one. Any thread. */
  void wakeUp();

  /** Returns 64 bits for identities and keys: secure in production, seeded in simulation. */
  long randomLong();

  /** Runs a long task that does not use the engine, on another thread if the host has real time. */
  default void aside(Runnable task) {
    task.run();
  }

  /** Returns the source of memory for sessions and their handshakes. */
  default MemorySource memory() {
    return MemorySource.UNLIMITED;
  }

  /** As {@link io.railflux.fabric.FabricContext#socketLoop}. */
  default SocketLoop socketLoop() {
    throw new UnsupportedOperationException("no real I/O here");
  }

  /** As {@link io.railflux.fabric.FabricContext#justSlept}. */
  default boolean justSlept() {
    return false;
  }

  /** As {@link io.railflux.fabric.FabricContext#pollIo}. */
  int pollIo();

  /**
   * As {@link io.railflux.fabric.FabricContext#nowNanos}.
   *
   * @param cycleNanos start of the last duty cycle
   * @return the time; later than {@code cycleNanos} if I/O runs at the end of a sleep, before the next cycle
   */
  default long nowNanos(long cycleNanos) {
    return cycleNanos;
  }

  /** Returns the origins of sequence numbers; a simulation chooses them close to each wrap. */
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
