package io.railflux.lab;

import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The mutations apply to the sources as they are. The deep {@link MutationTest} simulates them. */
class MutationSnippetsTest {

  @ParameterizedTest(name = "{0}")
  @MethodSource("io.railflux.lab.Mutations#all")
  void occursOnceInItsSource(Mutation mutation) {
    assertNotEquals("", MutatedClasses.patched(mutation));
  }
}
