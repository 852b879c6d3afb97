package io.railflux.samples.bench.compare;

import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;

/** The rows for people. */
final class MarkdownTable {

  private MarkdownTable() {}

  static void print(List<Row> rows, PrintWriter out) {
    out.println("| what | bytes | peer | median | lowest to highest | Railflux by it |");
    out.println("|---|---|---|---|---|---|");
    rows.stream()
        .sorted(Comparator.comparing(Row::workload).thenComparing(Row::sizeBytes))
        .forEach(row -> out.printf(
            "| %s, %s | %d | %s | %,.2f | %,.2f to %,.2f | %.2f |%n",
            row.workload(),
            row.unit(),
            row.sizeBytes(),
            row.peer(),
            row.value(),
            row.low(),
            row.high(),
            row.railfluxRatio()));
  }
}
