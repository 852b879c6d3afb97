package io.railflux.samples.cli.stat;

import java.util.List;

/**
 * All paths of a process at one moment.
 *
 * @param remarks why several rails to a peer bring nothing, where they do not
 */
public record Snapshot(String node, List<RailLine> rails, List<String> remarks) {}
