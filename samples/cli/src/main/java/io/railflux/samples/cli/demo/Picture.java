package io.railflux.samples.cli.demo;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The lines of the live view: rates between two moments, and the current values of everything else. */
final class Picture {

  private Moment before;

  /**
   * @param start base of the first rates
   */
  Picture(Moment start) {
    before = start;
  }

  /** The latest reports of the three processes, and the time of the snapshot. */
  record Moment(
      long nanos,
      Status source,
      Status stage,
      long received,
      String delay,
      Map<Event.Kind, Window> windows,
      String sourceMemory,
      String stageMemory,
      String sinkMemory) {

    static Moment of(Stages stages, EventSink sink, Footprint memory) {
      return new Moment(
          System.nanoTime(),
          stages.source().status(),
          stages.stage().status(),
          sink.total().count(),
          delay(sink.delayMicros(50), sink.delayMicros(99)),
          sink.windows(),
          stages.source().memory().toString(),
          stages.stage().memory().toString(),
          memory.toString());
    }

    static String delay(Double p50Micros, Double p99Micros) {
      return p50Micros == null
          ? "delay unknown"
          : String.format("p50 %,.0f µs   p99 %,.0f µs", p50Micros, p99Micros);
    }
  }

  List<String> lines(Moment now) {
    double seconds = (now.nanos - before.nanos) / 1e9;
    Status source = now.source;
    Status stage = now.stage;
    List<String> lines = List.of(
        String.format(
            "source  %,12.0f events/s   credits %,6d   stalls %,8d   RSS %s",
            (source.events() - before.source.events()) / seconds,
            source.credits(),
            source.stalls(),
            now.sourceMemory),
        String.format(
            "stage   %,12d queued     credits %,6d   stalls %,8d   RSS %s",
            Math.max(0, source.events() - stage.events()),
            stage.credits(),
            stage.stalls(),
            now.stageMemory),
        String.format(
            "sink    %,12.0f events/s   queued  %,6d   %s   RSS %s",
            (now.received - before.received) / seconds,
            Math.max(0, stage.events() - now.received),
            now.delay,
            now.sinkMemory),
        "host    " + host(now.windows));
    before = now;
    return lines;
  }

  private static String host(Map<Event.Kind, Window> windows) {
    StringBuilder text = new StringBuilder();
    windows.forEach((kind, window) -> {
      String name = kind.name().toLowerCase(Locale.ROOT);
      switch (kind) {
        case CPU, MEMORY -> text.append(String.format("%s %.0f %%  ", name, window.mean()));
        default -> text.append(String.format("%s max %,.0f MiB  ", name, window.max() / (1 << 20)));
      }
    });
    return text.toString().strip();
  }
}
