package io.railflux;

/** {@code scheme:location}, the scheme being the name of a fabric. */
record Address(String scheme, String location) {

  static Address parse(String untrimmed) {
    String text = untrimmed.strip();
    int colon = text.indexOf(':');
    if (colon < 1 || colon == text.length() - 1) {
      throw new IllegalArgumentException(
          "address '" + text + "' is not of the form fabric:location, for example shm:prices");
    }
    return new Address(text.substring(0, colon), text.substring(colon + 1));
  }
}
