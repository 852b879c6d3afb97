package io.railflux.engine;

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
    throw new IllegalStateException("as a device that does not let go");
  }

  @Test
  void whatFollowsRunsBehindAllReleasesAndEachOnce() {
    due.addAfterwards(() -> ran.add("behind"));
    due.add(() -> ran.add("first"));
    due.add(() -> ran.add("second"));

    assertTrue(due.run());
    assertFalse(due.run());

    assertEquals(List.of("first", "second", "behind"), ran);
  }

  @Test
  void oneThatFailsIsNotTriedAgainAndKeepsNothingOfTheOthers() {
    due.add(DueReleasesTest::fail);
    due.add(() -> ran.add("second"));
    due.addAfterwards(DueReleasesTest::fail);
    due.addAfterwards(() -> ran.add("behind"));

    due.run();
    due.run();

    assertEquals(List.of("second", "behind"), ran);
  }

  @Test
  void whatARunAddsRunsInIt() {
    due.add(() -> due.add(() -> ran.add("added")));

    due.run();

    assertEquals(List.of("added"), ran);
  }
}
