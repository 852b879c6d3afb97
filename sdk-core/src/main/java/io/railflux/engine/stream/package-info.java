/**
 * Streams and requests in both directions: demand, delivery, turns, and the Fluxes that the engine offers.
 *
 * <p>Uses {@code rendezvous} and the layers below it.
 */
package io.railflux.engine.stream;
