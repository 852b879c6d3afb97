package io.railflux.metrics;

/** What the meters of an engine read, from any thread; values may be a moment old. */
public interface EngineReadings {

  long cycles();

  long busyCycles();

  long sleeps();

  /** Abilities the engine would use and its fabrics lack, over all of them. */
  long lacking();

  /** Handshakes and connections that came to nothing by the fault of the other side, strangers' included. */
  long handshakesRefused();

  /** Frames that were not what the peer sealed; each cost a rail its endpoint. */
  long framesForged();

  /** Sessions this side ended because the peer broke the protocol. */
  long sessionsViolated();
}
