package io.railflux.samples.cli.demo;

import io.railflux.samples.cli.shell.Json;
import io.railflux.samples.cli.shell.ProcessFigures;
import java.io.PrintWriter;

/**
 * What an interrupted run came to so far.
 *
 * @param interrupted always; tells the line of JSON from that of a whole run
 * @param sent as the source told last
 * @param received by the sink; null at a source, which does not know
 * @param p50Micros null where source and sink share no clock
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
    out.printf("interrupted after %.1f s; so far, and not compared:%n", seconds);
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
