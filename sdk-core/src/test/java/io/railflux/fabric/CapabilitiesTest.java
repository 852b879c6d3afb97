package io.railflux.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.fabric.Capabilities.Feature;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A declaration is a value that is equal in every JVM. */
class CapabilitiesTest {

  private static Capabilities with(Set<Feature> features) {
    return new Capabilities(features, 1, 1, 1, 1, 1);
  }

  @Test
  void featuresHaveTheOrderOfTheirDeclaration() {
    Set<Feature> shuffled = new HashSet<>(EnumSet.allOf(Feature.class));
    assertEquals(List.of(Feature.values()), List.copyOf(with(shuffled).features()));
  }

  @Test
  void featuresDoNotChangeAfterwards() {
    Set<Feature> mine = EnumSet.of(Feature.READ);
    Capabilities capabilities = with(mine);
    mine.add(Feature.ATOMICS);
    assertEquals(Set.of(Feature.READ), capabilities.features());
    assertThrows(
        UnsupportedOperationException.class, () -> capabilities.features().clear());
  }
}
