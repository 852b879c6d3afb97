package io.railflux;

import io.railflux.engine.Engine;
import io.railflux.engine.EngineThread;
import java.util.concurrent.locks.ReentrantLock;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/** What engine threads may do while BlockHound watches them, as it does: they are Reactor's NonBlocking. */
public final class EngineThreadsMustNotBlock implements BlockHoundIntegration {

  /** For the service loader. */
  public EngineThreadsMustNotBlock() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder
        // To spin and to sleep is the business of the loop; all it calls must not.
        .allowBlockingCallsInside(EngineThread.class.getName(), "run")
        .disallowBlockingCallsInside(Engine.class.getName(), "dutyCycle")
        // A session's token: the system's random source is read once a connection, and never waits.
        .allowBlockingCallsInside(EngineThread.class.getName(), "randomLong")
        // Subscribers of tests, and the JDK's timers behind their futures, take locks for a moment.
        // An
        // error thrown while they wait would leave the lock closed to everybody.
        .allowBlockingCallsInside(ReentrantLock.class.getName(), "lock");
  }
}
