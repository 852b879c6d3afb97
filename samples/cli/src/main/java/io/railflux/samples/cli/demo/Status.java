package io.railflux.samples.cli.demo;

import io.railflux.Route;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;

/**
 * A report of a process to the sink, sent periodically and at the end. The stage forwards the reports of the source.
 * @param events forwarded so far
 * @param checksum of all events in order
 * @param credits requested by the next process and not yet sent
 * @param stalls how often all requested events had been sent
 * @param done whether all events were sent and acknowledged
 */
record Status(
    long events,
    long payloadBytes,
    long checksum,
    long credits,
    long stalls,
    double rssMiB,
    boolean done) {

  static final Status NONE = new Status(0, 0, 0, 0, 0, 0, false);

  private static final Codec<Status> CODEC = Codecs.record(Status.class);
  static final Route<Status, Boolean> OF_SOURCE = new Route<>("demo.source", CODEC, Codecs.bool());
  static final Route<Status, Boolean> OF_STAGE = new Route<>("demo.stage", CODEC, Codecs.bool());
}
