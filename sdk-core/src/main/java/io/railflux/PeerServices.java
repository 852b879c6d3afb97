package io.railflux;

import io.railflux.budget.Messages;
import io.railflux.metrics.RequestTimes;
import org.jspecify.annotations.Nullable;

/**
 * The parts of a node that its peers use.
 *
 * @param messages memory of owned messages
 * @param requestTimes receives the durations of requests; null without a meter registry
 */
record PeerServices(
    Settings settings,
    RailEvents railEvents,
    PathResolver paths,
    Messages messages,
    @Nullable RequestTimes requestTimes) {}
