package io.railflux.samples.bench.growth;

import io.railflux.samples.bench.compare.MarkdownTable;
import java.io.PrintWriter;
import java.util.List;

/** The rows as a table. */
final class GrowthTable {

  private GrowthTable() {}

  static void print(List<Row> rows, PrintWriter out) {
    out.println("| figure | at | median | lowest to highest | ratio |");
    out.println("|---|---|---|---|---|");
    rows.forEach(row -> out.printf(
        "| %s, %s | %,d | %s | %s to %s | %s |%n",
        row.experiment(),
        row.unit(),
        row.parameter(),
        MarkdownTable.number(row.value()),
        MarkdownTable.number(row.low()),
        MarkdownTable.number(row.high()),
        row.ratio() == null ? "" : MarkdownTable.number(row.ratio())));
  }
}
