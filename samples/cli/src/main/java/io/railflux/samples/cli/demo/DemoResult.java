package io.railflux.samples.cli.demo;

/** The line of JSON. */
record DemoResult(
    String fabric,
    double seconds,
    long sent,
    long received,
    long lost,
    long duplicated,
    long reordered,
    boolean checksumOk,
    double p50Micros,
    double p99Micros,
    double sourceRssMiB,
    double sinkRssMiB,
    long creditStallsAtSource) {

  boolean flawless() {
    return sent == received && lost == 0 && duplicated == 0 && reordered == 0 && checksumOk;
  }
}
