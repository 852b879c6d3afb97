/**
 * The foundation of all layers of the engine: context (clock, timers, counters, memory), configuration, rails and
 * identities.
 *
 * <p>Uses no other package of the engine.
 */
package io.railflux.engine.base;
