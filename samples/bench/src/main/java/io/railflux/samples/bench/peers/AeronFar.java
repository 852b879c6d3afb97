package io.railflux.samples.bench.peers;

/** The far side over Aeron, on its own thread, which also runs its driver. */
final class AeronFar implements Contender.Far {

  private final AeronDriver driver;
  private final String channels;
  private final Arrivals work;
  private final AeronLine line;
  private final Thread worker = new Thread(this::work, "aeron");

  /**
   * @param driver owned by this instance
   */
  AeronFar(AeronDriver driver, String out, String back, Job job) {
    this.driver = driver;
    this.channels = out + "," + back;
    this.work = new Arrivals(job.roundTrip());
    this.line = new AeronLine(
        driver.directory(),
        driver,
        AeronLine.Stream.back(back),
        AeronLine.Stream.out(out),
        job,
        this::onNumber);
    worker.setDaemon(true);
    worker.start();
  }

  private void work() {
    while (!line.isStopped()) {
      line.poll();
    }
  }

  private void onNumber(long number) {
    long answer = work.onMessage(number);
    if (answer != Arrivals.SILENCE) {
      line.send(answer);
    }
  }

  @Override
  public String address() {
    return driver.directory() + "," + channels;
  }

  @Override
  public void close() {
    line.stop();
    try {
      worker.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    line.close();
    driver.close();
  }
}
