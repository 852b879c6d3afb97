/**
 * The channel policies of the papers: over which message channels peers send to a node.
 *
 * <p>CH4: {@code BestMapping} finds the mapping with the largest reduction of latency. CH5: {@code SlidingWindows}
 * decides from sliding windows when a new mapping replaces the current one. CH6: dedicated endpoints that are parked,
 * or exist, cost nothing to set up; their number is bounded, as are the statistics. CH7: the policies with which the
 * paper compares the adaptive one.
 *
 * <p>Depends on {@code io.railflux.policy} only.
 */
package io.railflux.policies.channels;
