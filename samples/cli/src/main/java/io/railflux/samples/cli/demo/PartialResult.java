package io.railflux.samples.cli.demo;

import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.ProcessFigures;
import java.io.PrintWriter;

/**
 * The state of an interrupted run.
 * @param interrupted always true, which distinguishes this output from that of a complete run
 * @param sent as last reported by the source
 * @param received by the sink; null at a source
 * @param p50Micros null if source and sink share no clock
 * @param rssMiB of this process
 */
record PartialResult(
    boolean interrupted,
    String fabric,
    double seconds,
    long sent,
    Long received,
    Double p50Micros,
    Double p99Micros,
    double rssMiB) {

  static PartialResult ofSink(String fabric, Status source, EventSink sink) {
    return new PartialResult(
        true,
        fabric,
        rounded(sink.seconds()),
        source.events(),
        sink.total().count(),
        sink.delayMicros(50),
        sink.delayMicros(99),
        ProcessFigures.rssMiB());
  }

  static PartialResult ofSource(String fabric, double seconds, long sent) {
    return new PartialResult(
        true, fabric, rounded(seconds), sent, null, null, null, ProcessFigures.rssMiB());
  }

  private static double rounded(double seconds) {
    return Math.round(seconds * 100) / 100.0;
  }

  void print(PrintWriter out, boolean json) {
    if (json) {
      out.println(Json.line(this));
    } else {
      printText(out);
    }
    out.flush();
  }

  private void printText(PrintWriter out) {
    out.printf("interrupted after %.1f s; not compared; so far:%n", seconds);
    out.printf("sent      %,d events over %s%n", sent, fabric);
    if (received != null) {
      out.printf(
          "received  %,d, %,.0f a second%n",
          received, seconds == 0 ? received : received / seconds);
      out.printf("delay     %s%n", DemoResult.delay(p50Micros, p99Micros));
    }
    out.printf("memory    %.0f MiB here%n", rssMiB);
  }
}
