package io.railflux.samples.bench.growth;

import io.railflux.samples.bench.plot.Axis;
import io.railflux.samples.bench.plot.LinePlot;
import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Plots of the curves. Curves with the same axes share a plot. */
final class Plots {

  private final Path directory;
  private final String fabric;

  Plots(Path directory, String fabric) {
    this.directory = directory;
    this.fabric = fabric;
  }

  /**
   * @param curves curves of the plot, of one unit; unmeasured ones are omitted
   */
  private record Picture(
      String name,
      String title,
      Axis horizontal,
      Axis vertical,
      String unit,
      List<String> curves) {}

  private static final Axis RATE = Axis.linear("messages/s");
  private static final Axis BYTES = Axis.logarithmic("bytes of a message");

  private static final List<Picture> PICTURES = List.of(
      new Picture(
          "size-cost",
          "One way",
          BYTES,
          Axis.logarithmic("ns per message"),
          "ns",
          List.of(Sizes.CURVE)),
      new Picture(
          "size-rate", "One way", BYTES, Axis.logarithmic("bytes/s"), "B/s", List.of(Sizes.CURVE)),
      new Picture(
          "streams",
          "Streams to one peer",
          Axis.logarithmic("streams"),
          RATE,
          Tally.UNIT,
          List.of(Streams.CURVE)),
      new Picture(
          "peers",
          "Peers around one hub",
          Axis.logarithmic("peers"),
          RATE,
          Tally.UNIT,
          List.of(Peers.FAN_IN, Peers.FAN_OUT)),
      new Picture(
          "slow",
          "Fast streams beside slow ones",
          Axis.linear("slow streams, percent"),
          RATE,
          Tally.UNIT,
          List.of(SlowOnes.PACED, SlowOnes.STALLED)),
      new Picture(
          "storm",
          "Nodes that connect at once",
          Axis.logarithmic("nodes"),
          Axis.logarithmic("ms"),
          Storm.MILLIS,
          Storm.TIMES));

  /** Writes {@code <fabric>-<picture>.svg} for every measured plot. */
  void write(List<Row> rows) {
    for (Picture picture : PICTURES) {
      LinePlot plot =
          new LinePlot(picture.title() + ", " + fabric, picture.horizontal(), picture.vertical());
      picture.curves().forEach(curve -> plot.line(curve, points(rows, curve, picture.unit())));
      if (!plot.isEmpty()) {
        write(plot, directory.resolve("growth-" + fabric + "-" + picture.name() + ".svg"));
      }
    }
  }

  private static NavigableMap<Double, Double> points(List<Row> rows, String curve, String unit) {
    NavigableMap<Double, Double> points = new TreeMap<>();
    rows.stream()
        .filter(row -> row.experiment().equals(curve) && row.unit().equals(unit))
        .forEach(row -> points.put((double) row.parameter(), row.value()));
    return points;
  }

  private static void write(LinePlot plot, Path file) {
    try {
      Files.createDirectories(file.getParent());
      plot.write(file);
    } catch (IOException e) {
      throw CommandFailure.cannotWrite(file, e);
    }
  }
}
