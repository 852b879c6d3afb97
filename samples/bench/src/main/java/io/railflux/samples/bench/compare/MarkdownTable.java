package io.railflux.samples.bench.compare;

import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** The rows as a Markdown table, with the main percentiles. */
public final class MarkdownTable {

  private static final MathContext DIGITS = new MathContext(3);
  private static final double THOUSAND = 1e3;

  private MarkdownTable() {}

  static void print(List<Row> rows, PrintWriter out) {
    out.println("| figure | bytes | peer | median | lowest to highest | Railflux by it |");
    out.println("|---|---|---|---|---|---|");
    rows.stream()
        .filter(MarkdownTable::isShown)
        .sorted(Comparator.comparing(Row::workload).thenComparingInt(Row::sizeBytes))
        .forEach(row -> out.printf(
            "| %s, %s | %d | %s | %s | %s to %s | %s |%n",
            row.workload(),
            row.unit(),
            row.sizeBytes(),
            row.peer(),
            number(row.value()),
            number(row.low()),
            number(row.high()),
            row.railfluxRatio() == null ? "" : number(row.railfluxRatio())));
  }

  private static boolean isShown(Row row) {
    return Cell.Measure.PERCENTILES.stream()
        .filter(measure -> measure != Cell.Measure.P50 && measure != Cell.Measure.P999)
        .noneMatch(measure -> row.workload().endsWith(measure.workload()));
  }

  /** Formats a value with three significant digits. */
  public static String number(double value) {
    BigDecimal rounded = new BigDecimal(value).round(DIGITS);
    return Math.abs(value) < THOUSAND
        ? rounded.toPlainString()
        : String.format(Locale.ROOT, "%,d", rounded.longValueExact());
  }
}
