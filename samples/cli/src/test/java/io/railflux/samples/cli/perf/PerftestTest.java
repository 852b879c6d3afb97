package io.railflux.samples.cli.perf;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Parses the output of perftest. Running perftest needs a card. */
class PerftestTest {

  private static final List<String> LATENCY = List.of(
      " local address: LID 0000 QPN 0x0011 PSN 0x9e1f47",
      " #bytes #iterations    t_min[usec]    t_max[usec]  t_typical[usec]    t_avg[usec]",
      " 64      1000          4.10           41.20        4.50                4.62",
      "---------------------------------------------------------------------------------------");

  private static final List<String> BANDWIDTH = List.of(
      " #bytes     #iterations    BW peak[MiB/sec]    BW average[MiB/sec]   MsgRate[Mpps]",
      " 65536      5000             812.50             800.00               0.012800");

  @Test
  void roundTripIsTwiceTheTypicalOneWayTime() {
    double[] row = Perftest.row(LATENCY, 64);
    assertArrayEquals(new double[] {64, 1000, 4.1, 41.2, 4.5, 4.62}, row);
    Sample sample = PerftestRun.sample(Perftest.Tool.LATENCY, row);
    assertEquals(1000, sample.count());
    assertEquals(9_000, sample.medianNanos(), 10);
  }

  @Test
  void computesTheRateFromTheAverageBandwidth() {
    Sample sample = PerftestRun.sample(Perftest.Tool.BANDWIDTH, Perftest.row(BANDWIDTH, 65_536));
    assertEquals(12_800, sample.perSecond(), 1);
  }

  @Test
  void rejectsOutputWithoutFigures() {
    assertThrows(CommandFailure.class, () -> Perftest.row(LATENCY, 128));
    assertThrows(CommandFailure.class, () -> Perftest.row(List.of("no device"), 64));
  }
}
