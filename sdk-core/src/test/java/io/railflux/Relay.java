package io.railflux;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Relays TCP connections until one or all of them are cut. It may change bytes. */
final class Relay implements AutoCloseable {

  private final ServerSocket server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
  private final int to;
  private final Corruption forth;
  private final Corruption back;
  private final List<Socket> sockets = new CopyOnWriteArrayList<>();
  private volatile boolean partitioned;
  private volatile boolean mute;

  /**
   * @param to port on this host
   */
  Relay(int to) throws IOException {
    this(to, Corruption.none(), Corruption.none());
  }

  /**
   * @param to port on this host
   * @param forth changes bytes in that direction
   * @param back changes bytes in the other direction
   */
  Relay(int to, Corruption forth, Corruption back) throws IOException {
    this.to = to;
    this.forth = forth;
    this.back = back;
    run("accept", this::accept);
  }

  String address() {
    return "tcp:127.0.0.1:" + server.getLocalPort();
  }

  /** Returns the number of changed bytes in both directions. */
  int changes() {
    return forth.changes() + back.changes();
  }

  /** Returns the number of connections, including cut ones. */
  int connections() {
    return sockets.size() / 2;
  }

  /** Cuts a connection, counted from 0, while it carries data. */
  void cut(int connection) throws IOException {
    Socket socket = sockets.get(2 * connection);
    socket.setSoLinger(true, 0);
    socket.close();
    sockets.get(2 * connection + 1).close();
  }

  /** Resets every connection, and every new one until {@link #heal}. */
  void partition() throws IOException {
    partitioned = true;
    for (int connection = 0; connection < connections(); connection++) {
      if (!sockets.get(2 * connection).isClosed()) {
        cut(connection);
      }
    }
  }

  /** Keeps and accepts connections without relaying bytes until {@link #heal}. */
  void mute() {
    mute = true;
  }

  /** Ends an outage. Dropped bytes are lost, so the affected connections are reset. */
  void heal() throws IOException {
    if (mute) {
      partition();
    }
    mute = false;
    partitioned = false;
  }

  private void accept() throws IOException {
    while (true) {
      Socket from = server.accept();
      if (partitioned) {
        from.setSoLinger(true, 0);
        from.close();
        continue;
      }
      Socket onward = new Socket(InetAddress.getLoopbackAddress(), to);
      sockets.addAll(List.of(from, onward));
      if (partitioned) {
        cut(connections() - 1);
        continue;
      }
      run("forth", () -> pass(from, onward, forth));
      run("back", () -> pass(onward, from, back));
    }
  }

  private void pass(Socket from, Socket to, Corruption corruption) throws IOException {
    byte[] piece = new byte[64 * 1024];
    try (from;
        to) {
      InputStream input = from.getInputStream();
      OutputStream output = to.getOutputStream();
      for (int read = input.read(piece); read >= 0; read = input.read(piece)) {
        if (!mute) {
          corruption.apply(piece, read);
          output.write(piece, 0, read);
        }
      }
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
