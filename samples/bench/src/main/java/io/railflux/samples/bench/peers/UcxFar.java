package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The far side over UCX, on its own thread. The near side sends its address first. */
final class UcxFar implements Contender.Far {

  static final long HELLO = 3;
  static final int HELLO_BYTES = 4096;

  private final UcxConnection connection;
  private final Job job;
  private final String address;
  private final Thread worker = new Thread(this::work, "ucx");

  UcxFar(UcxConnection connection, Job job) {
    this.connection = connection;
    this.job = job;
    ByteBuffer own = connection.address();
    byte[] bytes = new byte[own.remaining()];
    own.get(bytes);
    this.address = HexFormat.of().formatHex(bytes);
    worker.setDaemon(true);
    worker.start();
  }

  private void work() {
    try {
      ByteBuffer hello = ByteBuffer.allocateDirect(HELLO_BYTES);
      var greeted = connection.receive(hello, 0, HELLO_BYTES, HELLO);
      while (!greeted.isCompleted() && !connection.isStopped()) {
        connection.progress();
      }
      if (!connection.isStopped()) {
        connection.connect(hello.limit((int) greeted.getRecvSize()).slice());
        serve(new UcxLine(connection, job));
      }
    } catch (IOException e) {
      throw new CommandFailure(e.getMessage(), e);
    }
  }

  private void serve(UcxLine line) throws IOException {
    Arrivals work = new Arrivals(job.roundTrip());
    while (!connection.isStopped()) {
      long number = line.receive();
      if (connection.isStopped()) {
        return;
      }
      if (!job.roundTrip()) {
        line.giveCredit();
      }
      long answer = work.onMessage(number);
      if (answer != Arrivals.SILENCE) {
        line.send(answer);
      }
    }
  }

  @Override
  public String address() {
    return address;
  }

  @Override
  public void close() throws IOException {
    connection.stop();
    try {
      worker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    connection.close();
  }
}
