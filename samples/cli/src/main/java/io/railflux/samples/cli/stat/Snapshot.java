package io.railflux.samples.cli.stat;

import java.util.List;

/**
 * All paths, message channels and streams of a process at one moment.
 *
 * @param remarks reasons why several rails to a peer bring no gain
 */
public record Snapshot(
    String node,
    List<RailLine> rails,
    List<ChannelLine> channels,
    List<StreamLine> streams,
    List<String> remarks) {}
