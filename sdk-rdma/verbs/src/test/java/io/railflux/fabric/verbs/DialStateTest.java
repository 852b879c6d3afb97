package io.railflux.fabric.verbs;

import static io.railflux.fabric.verbs.DialState.ESTABLISHED;
import static io.railflux.fabric.verbs.DialState.FAILED;
import static io.railflux.fabric.verbs.DialState.LOOKING_UP;
import static io.railflux.fabric.verbs.DialState.REQUESTING;
import static io.railflux.fabric.verbs.DialState.RESOLVING_ADDRESS;
import static io.railflux.fabric.verbs.DialState.RESOLVING_ROUTE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("CM4")
class DialStateTest {

  private static final Map<DialState, Set<DialState>> ALLOWED = Map.of(
      LOOKING_UP, Set.of(RESOLVING_ADDRESS, FAILED),
      RESOLVING_ADDRESS, Set.of(RESOLVING_ROUTE, FAILED),
      RESOLVING_ROUTE, Set.of(REQUESTING, FAILED),
      REQUESTING, Set.of(ESTABLISHED, FAILED),
      ESTABLISHED, Set.of(),
      FAILED, Set.of());

  @ParameterizedTest
  @EnumSource
  void permitsTransitionsOfTheTableOnly(DialState from) {
    for (DialState to : DialState.values()) {
      if (ALLOWED.get(from).contains(to)) {
        assertEquals(to, from.to(to));
      } else {
        assertThrows(IllegalStateException.class, () -> from.to(to), from + " to " + to);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void finalStatesHaveNoSuccessor(DialState state) {
    assertEquals(state.successors().isEmpty(), state.isOver());
  }
}
