package io.railflux;

import io.railflux.engine.Engine;
import io.railflux.engine.EngineThread;
import java.util.concurrent.locks.ReentrantLock;
import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/**
 * The permitted calls of engine threads under BlockHound, which watches them because they implement Reactor's
 * NonBlocking.
 */
public final class EngineThreadsMustNotBlock implements BlockHoundIntegration {

  /** For the service loader. */
  public EngineThreadsMustNotBlock() {}

  @Override
  public void applyTo(BlockHound.Builder builder) {
    builder
        // The loop itself may spin and sleep. The code that it calls must not.
        .allowBlockingCallsInside(EngineThread.class.getName(), "run")
        .disallowBlockingCallsInside(Engine.class.getName(), "dutyCycle")
        // A session token reads the system's random source once per connection, which never blocks.
        .allowBlockingCallsInside(EngineThread.class.getName(), "randomLong")
        // Subscribers of tests, and the timers of the JDK's futures, hold locks for a short time.
        // An error thrown
        // during the wait would leave the lock locked.
        .allowBlockingCallsInside(ReentrantLock.class.getName(), "lock");
  }
}
