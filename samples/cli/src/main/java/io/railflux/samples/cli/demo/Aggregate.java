package io.railflux.samples.cli.demo;

import java.util.ArrayList;
import java.util.List;

/** Aggregates the readings of an open window. */
final class Aggregate {

  private static final int KINDS = Event.Kind.COUNT;

  private final long[] counts = new long[KINDS];
  private final double[] sums = new double[KINDS];
  private final double[] maxima = new double[KINDS];

  void add(Event event) {
    int kind = event.kind().code;
    double value = Reading.value(event);
    counts[kind]++;
    sums[kind] += value;
    maxima[kind] = Math.max(maxima[kind], value);
  }

  List<Window> windows() {
    List<Window> windows = new ArrayList<>();
    for (Event.Kind kind : Event.Kind.values()) {
      long count = counts[kind.code];
      if (count > 0) {
        double mean = sums[kind.code] / count;
        windows.add(new Window(kind, count, mean, maxima[kind.code]));
      }
    }
    return windows;
  }
}
