package io.railflux;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Passes on what comes from TCP connections, until one is cut. */
final class Relay implements AutoCloseable {

  private final ServerSocket server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
  private final int to;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();

  /** @param to port of this host */
  Relay(int to) throws IOException {
    this.to = to;
    run("accept", this::accept);
  }

  String address() {
    return "tcp:127.0.0.1:" + server.getLocalPort();
  }

  /** Connections there were, cut ones included. */
  int connections() {
    return sockets.size() / 2;
  }

  /** Breaks the connection that came as that one, counted from 0, off in the middle of whatever it carries. */
  void cut(int connection) throws IOException {
    Socket socket = sockets.get(2 * connection);
    socket.setSoLinger(true, 0);
    socket.close();
    sockets.get(2 * connection + 1).close();
  }

  private void accept() throws IOException {
    while (true) {
      Socket from = server.accept();
      Socket onward = new Socket(InetAddress.getLoopbackAddress(), to);
      sockets.addAll(List.of(from, onward));
      run("forth", () -> pass(from, onward));
      run("back", () -> pass(onward, from));
    }
  }

  private static void pass(Socket from, Socket to) throws IOException {
    try (from;
        to) {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      input.transferTo(output);
    }
  }

  private interface Task {
    void run() throws IOException;
  }

  private static void run(String name, Task task) {
    Thread thread = new Thread(
        () -> {
          try {
            task.run();
          } catch (IOException e) {
            // Cut, or closed at the end of the test.
          }
        },
        "relay-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  @Override
  public void close() throws IOException {
    server.close();
    for (Socket socket : sockets) {
      socket.close();
    }
  }
}
