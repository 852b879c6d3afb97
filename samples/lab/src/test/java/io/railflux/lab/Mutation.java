package io.railflux.lab;

/**
 * A bug seeded on purpose: one exact snippet of one production file, and what stands there instead.
 *
 * @param file below {@code io/railflux}, without the ending
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
