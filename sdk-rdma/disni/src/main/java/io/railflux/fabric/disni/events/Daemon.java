package io.railflux.fabric.disni.events;

/** Threads that wait in the library and end some time after the request. */
final class Daemon {

  private Daemon() {}

  static void start(String what, Runnable task) {
    Thread thread = new Thread(task, "railflux-disni-" + what);
    thread.setDaemon(true);
    thread.start();
  }
}
