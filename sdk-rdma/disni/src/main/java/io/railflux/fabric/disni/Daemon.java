package io.railflux.fabric.disni;

/** Threads that sleep in the library's waits and end some time after they were told to. */
final class Daemon {

  private Daemon() {}

  static void start(String what, Runnable task) {
    Thread thread = new Thread(task, "railflux-disni-" + what);
    thread.setDaemon(true);
    thread.start();
  }
}
