package io.railflux.fabric.shm.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

class ProcessIdentityTest {

  @Property
  void directoryNameRoundTrips(
      @ForAll @LongRange(min = 0, max = 999_999_999_999_999_999L) long number,
      @ForAll @LongRange(min = 1, max = 4_194_304) long pid) {
    ProcessIdentity identity = new ProcessIdentity(number, pid, number / 3, number / 7);

    assertEquals(identity, ProcessIdentity.parse(identity.directoryName()));
    assertTrue(identity.plausible());
  }

  @Property
  void rejectsOtherNames(@ForAll String name) {
    assertNull(ProcessIdentity.parse(name));
  }

  @Test
  void negativeNumbersAreImplausible() {
    assertFalse(new ProcessIdentity(-1, 1, 1, 1).plausible());
    assertFalse(new ProcessIdentity(1, 0, 1, 1).plausible());
    assertFalse(new ProcessIdentity(1, 1, Long.MAX_VALUE, 1).plausible());
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "asks /proc")
  void distinguishesProcessesWithTheSameId() throws Exception {
    ProcessIdentity self = ProcessIdentity.current();

    assertTrue(self.runs());
    assertTrue(self.plausible());
    assertEquals(ProcessHandle.current().pid(), self.pid());
    ProcessIdentity other =
        new ProcessIdentity(self.namespace(), self.pid(), self.startTicks() - 1, 1);
    assertFalse(other.runs());
    assertFalse(other.sameProcess(self));
  }
}
