package io.railflux.engine.base;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DueReleasesTest {

  private final DueReleases due = new DueReleases();
  private final List<String> ran = new ArrayList<>();

  private static void fail() {
    throw new IllegalStateException("a device that does not release");
  }

  @Test
  void continuationsRunOnceAfterAllReleases() {
    due.addAfterwards(() -> ran.add("behind"));
    due.add(() -> ran.add("first"));
    due.add(() -> ran.add("second"));

    assertTrue(due.run());
    assertFalse(due.run());

    assertEquals(List.of("first", "second", "behind"), ran);
  }

  @Test
  void failedReleaseIsNotRepeatedAndDoesNotPreventOthers() {
    due.add(DueReleasesTest::fail);
    due.add(() -> ran.add("second"));

    due.run();
    due.run();

    assertEquals(List.of("second"), ran);
  }

  @Test
  void memoryOfAFailedCloseIsNotReused() {
    due.add(DueReleasesTest::fail);
    due.addAfterwards(() -> ran.add("other loans"));

    assertFalse(due.run());
    assertFalse(due.run());

    assertEquals(List.of(), ran);
  }

  @Test
  void releasesAddedDuringARunAreExecutedInIt() {
    due.add(() -> due.add(() -> ran.add("added")));

    due.run();

    assertEquals(List.of("added"), ran);
  }
}
