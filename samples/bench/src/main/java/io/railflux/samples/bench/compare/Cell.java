package io.railflux.samples.bench.compare;

import static java.util.stream.Collectors.joining;

import io.railflux.samples.bench.peers.Exchange;
import io.railflux.samples.cli.measure.Work;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine;

/** The workload of one pair of processes. */
record Cell(Kind kind, int sizeBytes, Work work) {

  /** Returns the measured cells. */
  static List<Cell> all(Work work) {
    return List.of(
        new Cell(Kind.ROUND_TRIP, 64, work),
        new Cell(Kind.ROUND_TRIP, 4 << 10, work),
        new Cell(Kind.ONE_WAY, 64, work),
        new Cell(Kind.ONE_WAY, 1 << 10, work),
        new Cell(Kind.ONE_WAY, 64 << 10, work),
        new Cell(Kind.ONE_WAY, 1 << 20, work),
        new Cell(Kind.WAKE_UP, 64, work),
        new Cell(Kind.WAKE_UP_RELAYED, 64, work),
        new Cell(Kind.IDLE, 64, work));
  }

  enum Kind {
    ROUND_TRIP("latency", Exchange.ROUND_TRIP),
    ONE_WAY("throughput", Exchange.ONE_WAY),
    WAKE_UP("wake-up", Exchange.WAKE_UP),
    WAKE_UP_RELAYED("wake-up-relayed", Exchange.WAKE_UP_RELAYED),
    IDLE("idle", Exchange.NOTHING);

    private final String perfWorkload;
    private final Exchange exchange;

    Kind(String perfWorkload, Exchange exchange) {
      this.perfWorkload = perfWorkload;
      this.exchange = exchange;
    }

    /** Returns the exchange of the peers. */
    Exchange exchange() {
      return exchange;
    }

    /** Returns the name of the workload in perf. */
    String perfWorkload() {
      return perfWorkload;
    }

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    List<Measure> measures() {
      return switch (this) {
        case ROUND_TRIP -> Measure.PERCENTILES;
        case ONE_WAY -> List.of(Measure.RATE, Measure.CPU);
        case WAKE_UP -> List.of(Measure.WAKE_UP);
        case WAKE_UP_RELAYED -> List.of(Measure.WAKE_UP_RELAYED);
        case IDLE -> List.of(Measure.IDLE_CPU);
      };
    }
  }

  /** Converts the name of a value. */
  static final class KindReader implements CommandLine.ITypeConverter<Kind> {

    @Override
    public Kind convert(String name) {
      return Arrays.stream(Kind.values())
          .filter(kind -> kind.toString().equals(name))
          .findFirst()
          .orElseThrow(() -> new CommandLine.TypeConversionException(
              "no workload has the name '" + name + "'; choose "
                  + Arrays.stream(Kind.values()).map(Kind::toString).collect(joining(", "))));
    }
  }

  /** A figure, with its names in the JSON output of perf, of the peers and of the results. */
  enum Measure {
    P50("p50Micros", "round-trip-p50", "µs", 50),
    P90("p90Micros", "round-trip-p90", "µs", 90),
    P99("p99Micros", "round-trip-p99", "µs", 99),
    P999("p999Micros", "round-trip-p99.9", "µs", 99.9),
    P9999("p9999Micros", "round-trip-p99.99", "µs", 99.99),
    MAX("maxMicros", "round-trip-max", "µs", 100),
    RATE("messagesPerSecond", "one-way", "messages/s", 0),
    CPU("cpuSecondsPerMillion", "one-way-cpu", "s/million", 0),
    WAKE_UP("p50Micros", "wake-up-p50", "µs", 50),
    WAKE_UP_RELAYED("p50Micros", "wake-up-relayed-p50", "µs", 50),
    IDLE_CPU("idleCpuPercent", "idle-cpu", "%", 0),
    /** The probe of the machine around the runs of a cell, measured in this process. */
    PROBE("", "probe", "µs", 0);

    /** Percentiles of round trips in ascending order. */
    static final List<Measure> PERCENTILES = List.of(P50, P90, P99, P999, P9999, MAX);

    private final String field;
    private final String workload;
    private final String unit;
    private final double percentile;

    Measure(String field, String workload, String unit, double percentile) {
      this.field = field;
      this.workload = workload;
      this.unit = unit;
      this.percentile = percentile;
    }

    String field() {
      return field;
    }

    String workload() {
      return workload;
    }

    String unit() {
      return unit;
    }

    /** Returns the percentile of a measure of {@link #PERCENTILES}. */
    double percentile() {
      return percentile;
    }
  }

  /** Returns the name in the results, which contains the work unless it is the default. */
  String workload(Measure measure) {
    return prefix() + (measure == Measure.PROBE ? kind + "-" : "") + measure.workload();
  }

  String prefix() {
    return work == Work.TOUCH ? "" : work + "-";
  }

  @Override
  public String toString() {
    return kind == Kind.IDLE ? "idle" : kind + " of " + size();
  }

  String size() {
    return sizeBytes < 1 << 10
        ? sizeBytes + " B"
        : sizeBytes < 1 << 20 ? (sizeBytes >> 10) + " KiB" : (sizeBytes >> 20) + " MiB";
  }
}
