package io.railflux.samples.bench.peers;

import io.aeron.Aeron;
import io.aeron.driver.MediaDriver;
import org.agrona.concurrent.AgentInvoker;

/** The far side over Aeron, on a thread of its own, and the driver. */
final class AeronFar implements Contender.Far {

  private final MediaDriver driver;
  private final String channel;
  private final AgentInvoker invoker;
  private final Arrivals work;
  private final AeronLine line;
  private final Thread worker = new Thread(this::work, "aeron");

  /** @param driver of which this is the owner; one without a thread works on this one's */
  AeronFar(MediaDriver driver, String channel, Job job) {
    this.driver = driver;
    this.channel = channel;
    this.invoker = driver.sharedAgentInvoker();
    this.work = new Arrivals(job.roundTrip());
    Aeron.Context context = new Aeron.Context()
        .aeronDirectoryName(driver.aeronDirectoryName())
        .driverAgentInvoker(invoker)
        .useConductorAgentInvoker(invoker != null);
    this.line = new AeronLine(context, channel, AeronLine.BACK, job, this::onNumber, this::invoke);
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

  private void invoke() {
    if (invoker != null) {
      invoker.invoke();
    }
  }

  @Override
  public String address() {
    return driver.aeronDirectoryName() + "," + channel;
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
