package io.railflux.samples.cli.demo;

import io.railflux.Route;
import io.railflux.message.Codec;
import io.railflux.message.Codecs;

/**
 * What a process tells the sink, now and then and at its end; the stage passes on what the source tells.
 *
 * @param events handed on so far
 * @param checksum of all of them in their order
 * @param credits asked for by the next process and not yet handed over
 * @param stalls times it had handed over everything asked for
 * @param done whether everything was handed over and acknowledged
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
