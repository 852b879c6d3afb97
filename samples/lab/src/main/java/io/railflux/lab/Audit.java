package io.railflux.lab;

/** What one engine holds of its fabrics; exposed regions end with their endpoint. */
final class Audit {

  private int endpoints;
  private int registrations;

  void endpoint(int change) {
    endpoints += change;
  }

  void registration(int change) {
    registrations += change;
  }

  int endpoints() {
    return endpoints;
  }

  boolean isClean() {
    return endpoints == 0 && registrations == 0;
  }

  @Override
  public String toString() {
    return endpoints + " endpoints and " + registrations + " registrations";
  }
}
