package io.railflux.samples.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.samples.cli.demo.Picture.Moment;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PictureTest {

  private static final long SECOND = 1_000_000_000;

  private static Moment moment(
      long nanos, Status source, Status stage, long received, Map<Event.Kind, Window> windows) {
    return new Moment(
        nanos,
        source,
        stage,
        received,
        Moment.delay(41.0, 97.0),
        windows,
        "90 MiB (88 when warm)",
        "80 MiB",
        "70 MiB");
  }

  @Test
  void showsThatASlowSinkLimitsTheSource() {
    Picture picture = new Picture(moment(0, Status.NONE, Status.NONE, 0, Map.of()));
    Status source = new Status(3_000, 0, 0, 0, 12, 90, false);
    Status stage = new Status(2_600, 0, 0, 7, 3, 80, false);
    assertEquals(
        List.of(
            "source         1,500 events/s   credits      0   stalls       12   RSS 90 MiB (88 when warm)",
            "stage            400 queued     credits      7   stalls        3   RSS 80 MiB",
            "sink           1,000 events/s   queued     600   p50 41 µs   p99 97 µs   RSS 70 MiB",
            "host    "),
        picture.lines(moment(2 * SECOND, source, stage, 2_000, Map.of())));
  }

  @Test
  void computesRatesSinceThePreviousPicture() {
    Picture picture = new Picture(moment(0, Status.NONE, Status.NONE, 0, Map.of()));
    Status source = new Status(3_000, 0, 0, 0, 0, 0, false);
    picture.lines(moment(SECOND, source, source, 3_000, Map.of()));
    List<String> still = picture.lines(moment(2 * SECOND, source, source, 3_000, Map.of()));
    assertEquals("source             0 events/s", still.get(0).substring(0, 29));
    assertEquals("sink               0 events/s", still.get(2).substring(0, 29));
  }

  @Test
  void showsTheHostInSuitableUnits() {
    Map<Event.Kind, Window> windows = new EnumMap<>(Event.Kind.class);
    windows.put(Event.Kind.CPU, new Window(Event.Kind.CPU, 20, 37.6, 99));
    windows.put(Event.Kind.DISK, new Window(Event.Kind.DISK, 10, 1, 5 << 20));
    Picture picture = new Picture(moment(0, Status.NONE, Status.NONE, 0, Map.of()));
    assertEquals(
        "host    cpu 38 %  disk max 5 MiB",
        picture.lines(moment(SECOND, Status.NONE, Status.NONE, 0, windows)).get(3));
  }
}
