package io.railflux.engine.base;

import io.railflux.metrics.NodeObserver;
import io.railflux.pipeline.EngineAffinity;
import io.railflux.policy.ChannelPolicy;

/**
 * View of the engine for the layers below it: clock, timers, configuration, memory and traffic counters. Engine
 * thread only, except {@link #execute} and {@link #inEngine}.
 */
public interface EngineContext extends EngineAffinity {

  EngineConfig config();

  default String nodeName() {
    return config().nodeName();
  }

  Incarnation incarnation();

  /** The time of the current duty cycle. */
  long nowNanos();

  /** Time that the engine was busy before this cycle: an event observed in this cycle may be that much older. */
  long unseenNanos();

  Timers timers();

  /** Runs {@code task} on another thread if the host has real time, then {@code next} on the engine thread. */
  void aside(Runnable task, Runnable next);

  /** Runs {@code action} when all endpoints released so far are closed and no longer use their memory. */
  void afterRelease(Runnable action);

  /** Requests another cycle for work that the current cycle may have passed already. */
  void keepAwake();

  /** Records the running user code. */
  Occupancy occupancy();

  /** Records a subscription that failed or ended before it began; {@code subject} names its stream and peer. */
  void subscriptionFailed(String subject);

  NodeObserver observer();

  EngineHost.SequenceOrigins origins();

  /** Counts sent messages and demand, which the peer may answer soon. */
  void countSent(long count);

  /** Counts arrived messages, demand and pieces of large messages, which more may follow soon. */
  void countArrived(long count);

  /** Counts messages and other frames read from rings. */
  void countRead(int frames);

  /** Sets whether a message sent outside its stream's turn may wait for more messages of the stream. */
  void expectMore(boolean more);

  boolean expectsMore();

  /** Whether writers prefetch the next lines of a mapped ring in this cycle. */
  boolean fetchesLines();

  /** Returns the largest message in bytes that goes through a ring of {@code peerRingBytes}. */
  int eagerLimitBytes(int peerRingBytes);

  /** The policy of message channels. Other threads may only call its {@code toString}. */
  ChannelPolicy channelPolicy();

  /** Whether messages to some peers must be encoded outside their rings. */
  boolean hasPostedRail();

  Registrations registrations();

  SessionMemory sessionMemory();

  /** The memory in which large messages are encoded. */
  LargeMemory sourceMemory();

  /** The memory in which large messages arrive. */
  LargeMemory landingMemory();

  /** Frees memory kept for later use; returns the number of bytes. */
  long giveUpKept();
}
