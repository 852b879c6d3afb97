package io.railflux.lab;

/**
 * A seeded bug: one exact snippet of one production file and its replacement.
 * @param file path below {@code io/railflux}, without the suffix
 */
record Mutation(String name, String file, String snippet, String replacement) {

  static Mutation mutation(String name, String file, String snippet, String replacement) {
    return new Mutation(name, file, snippet, replacement);
  }

  @Override
  public String toString() {
    return name;
  }
}
