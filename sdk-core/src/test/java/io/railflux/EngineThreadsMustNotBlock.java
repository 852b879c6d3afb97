package io.railflux;

import io.railflux.engine.Engine;
import io.railflux.engine.EngineThread;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/** Has BlockHound watch the engine threads of nodes that ask for it by their name. */
public final class EngineThreadsMustNotBlock implements BlockHoundIntegration {

  /** Begins the names of nodes that are watched. */
  static final String WATCHED = "watched-";

  /** For the service loader. */
  public EngineThreadsMustNotBlock() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder
        .nonBlockingThreadPredicate(
            others -> others.or(thread -> thread.getName().startsWith("railflux-" + WATCHED)))
        // To spin and to sleep is the business of the loop; all it calls must not.
        .allowBlockingCallsInside(EngineThread.class.getName(), "run")
        .disallowBlockingCallsInside(Engine.class.getName(), "dutyCycle")
        // A session's token: the system's random source is read once a connection, and never waits.
        .allowBlockingCallsInside(EngineThread.class.getName(), "randomLong");
  }
}
