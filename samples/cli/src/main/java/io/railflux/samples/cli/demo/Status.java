package io.railflux.samples.cli.demo;

/**
 * What a child tells on its standard output, now and then and at its end.
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
}
