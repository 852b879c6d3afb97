package io.railflux.fabric.verbs;

import static io.railflux.fabric.verbs.VerbsDial.State.ESTABLISHED;
import static io.railflux.fabric.verbs.VerbsDial.State.FAILED;
import static io.railflux.fabric.verbs.VerbsDial.State.LOOKING_UP;
import static io.railflux.fabric.verbs.VerbsDial.State.REQUESTING;
import static io.railflux.fabric.verbs.VerbsDial.State.RESOLVING_ADDRESS;
import static io.railflux.fabric.verbs.VerbsDial.State.RESOLVING_ROUTE;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("CM4")
class DialStateTest {

  private static final Map<VerbsDial.State, Set<VerbsDial.State>> ALLOWED = Map.of(
      LOOKING_UP, Set.of(RESOLVING_ADDRESS, FAILED),
      RESOLVING_ADDRESS, Set.of(RESOLVING_ROUTE, FAILED),
      RESOLVING_ROUTE, Set.of(REQUESTING, FAILED),
      REQUESTING, Set.of(ESTABLISHED, FAILED),
      ESTABLISHED, Set.of(),
      FAILED, Set.of());

  @ParameterizedTest
  @EnumSource
  void permitsTransitionsOfTheTableOnly(VerbsDial.State from) {
    for (VerbsDial.State to : VerbsDial.State.values()) {
      assertEquals(ALLOWED.get(from).contains(to), from.canBecome(to), from + " to " + to);
    }
  }

  @ParameterizedTest
  @EnumSource
  void finalStatesHaveNoSuccessor(VerbsDial.State state) {
    assertEquals(ALLOWED.get(state).isEmpty(), state.isOver());
  }
}
