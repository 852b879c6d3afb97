package io.railflux.samples.bench.growth;

import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Option;

/** Selects the measured points of a curve. */
final class Points {

  @Option(
      names = "--from",
      paramLabel = "NUMBER",
      defaultValue = "1",
      description =
          "Skips points with fewer bytes, streams or peers, except the first point of the ratios.")
  private int from;

  @Option(
      names = "--up-to",
      paramLabel = "NUMBER",
      defaultValue = "" + Integer.MAX_VALUE,
      description = "Skips points with more of them, except the first.")
  private int upTo;

  /** Returns the error in the options, or null. */
  String wrong() {
    return from < 1 || upTo < from
        ? "--from must be at least 1 and --up-to no less than that, were " + from + " and " + upTo
        : null;
  }

  /** Returns these options as arguments for another process. */
  List<String> arguments() {
    return List.of("--from", String.valueOf(from), "--up-to", String.valueOf(upTo));
  }

  /** Returns the selected points, which always include the first one. */
  int[] of(int... all) {
    return Arrays.stream(all)
        .filter(point -> point == all[0] || (point >= from && point <= upTo))
        .toArray();
  }

  int atMost(int number) {
    return Math.min(number, upTo);
  }
}
