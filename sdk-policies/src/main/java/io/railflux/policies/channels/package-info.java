/**
 * The choice of message channels by traffic: which peers get a ring, and which of them an endpoint of their own.
 *
 * <p>CH4: {@code BestMapping} finds the mapping with the largest reduction of latency. CH5: {@code SlidingWindows}
 * decides from sliding windows when a new mapping replaces the current one. The engine does not apply the decisions
 * yet; the package is therefore not exported.
 */
package io.railflux.policies.channels;
