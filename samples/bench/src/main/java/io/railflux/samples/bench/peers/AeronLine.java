package io.railflux.samples.bench.peers;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.railflux.samples.cli.measure.Checksum;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.RingRounds;
import io.railflux.samples.cli.shell.CommandFailure;
import java.nio.ByteBuffer;
import java.util.function.LongConsumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.agrona.concurrent.UnsafeBuffer;

/** One side of two Aeron streams, one per direction. Single-threaded, spinning. */
final class AeronLine implements AutoCloseable {

  record Stream(String channel, int id) {

    /** Returns the stream to the far side. */
    static Stream out(String channel) {
      return new Stream(channel, 1);
    }

    /** Returns the stream to the near side, which may share a channel with the other one. */
    static Stream back(String channel) {
      return new Stream(channel, 2);
    }
  }

  private static final int FRAGMENTS = 256;

  /** Bytes claimed before a driver without threads runs and sends them, as one datagram. */
  private static final int UNSENT_BYTES = 32 << 10;

  private static final int CACHE_LINE_BYTES = 64;
  private static final long STUCK_NANOS = 10_000_000_000L;

  private final Aeron aeron;
  private final Publication publication;
  private final Subscription subscription;
  private final FragmentHandler arrivals =
      new FragmentAssembler((buffer, offset, length, header) -> onMessage(buffer, offset, length));
  private final BufferClaim claim = new BufferClaim();
  private final UnsafeBuffer message;
  private final LongConsumer onNumber;
  private final AgentInvoker driver;
  private final AgentInvoker conductor;
  private int unsentBytes;
  private volatile Throwable failure;
  private volatile boolean stopped;
  private final Reading reading;
  private final int restSpins;

  /**
   * @param directory of the driver
   * @param own the driver of this process; null if the other process has it
   * @param onNumber receives the number of each message during {@link #poll}
   */
  AeronLine(
      String directory, AeronDriver own, Stream to, Stream from, Job job, LongConsumer onNumber) {
    this.onNumber = onNumber;
    this.driver = own == null ? null : own.invoker();
    this.aeron = Aeron.connect(new Aeron.Context()
        .aeronDirectoryName(directory)
        .errorHandler(e -> failure = e)
        .driverAgentInvoker(driver)
        .useConductorAgentInvoker(driver != null));
    this.conductor = aeron.conductorAgentInvoker();
    this.publication = aeron.addExclusivePublication(to.channel(), to.id());
    this.subscription = aeron.addSubscription(from.channel(), from.id());
    this.reading = job.reading();
    // One way, it pauses like the reader of the bare ring, so that it reads batches instead of
    // contending for each
    // line.
    this.restSpins = job.roundTrip() ? 1 : RingRounds.REST_SPINS;
    this.message = new UnsafeBuffer(ByteBuffer.allocateDirect(job.sizeBytes()));
    Payload.put(Payload.fill(job.sizeBytes()), message.byteBuffer(), 0, job.sizeBytes());
  }

  /** Returns the number of fragments. Pauses if there were none. */
  int poll() {
    int polled = subscription.poll(arrivals, FRAGMENTS);
    if (failure != null) {
      throw new CommandFailure("Aeron: " + failure, failure);
    }
    for (int i = 0; polled == 0 && i < restSpins; i++) {
      Thread.onSpinWait();
    }
    spin();
    return polled;
  }

  /** Runs the driver and the conductor of the client if they have no threads. */
  private void spin() {
    unsentBytes = 0;
    if (driver != null) {
      driver.invoke();
      conductor.invoke();
    }
  }

  private void onMessage(DirectBuffer buffer, int offset, int length) {
    long number = buffer.getLong(offset);
    reading.check(
        number,
        reading.isWhole() ? checksum(buffer, offset, length) : touch(buffer, offset, length));
    onNumber.accept(number);
  }

  /** As {@link Payload#touch}. */
  private static long touch(DirectBuffer buffer, int offset, int length) {
    int end = length - Long.BYTES;
    long touched = buffer.getLong(offset + end);
    for (int i = 0; i < end; i += CACHE_LINE_BYTES) {
      touched ^= buffer.getLong(offset + i);
    }
    return touched;
  }

  /** Computes the same as {@link Checksum} for whole words. */
  private static long checksum(DirectBuffer buffer, int offset, int length) {
    long sum = 0;
    for (int i = 0; i < length; i += Long.BYTES) {
      sum = Checksum.turn(sum, buffer.getLong(offset + i));
    }
    return sum;
  }

  /** Ends all waits for space, which may never become available. Any thread. */
  void stop() {
    stopped = true;
  }

  boolean isStopped() {
    return stopped;
  }

  /** Waits for space. A message that fits one fragment is encoded in place, as Aeron recommends. */
  void send(long number) {
    long begun = 0;
    for (long result = offer(number); result < 0 && !stopped; result = offer(number)) {
      begun = begun == 0 ? System.nanoTime() : begun;
      if (result == Publication.CLOSED || System.nanoTime() - begun > STUCK_NANOS) {
        throw new CommandFailure("Aeron rejected a message: " + Publication.errorString(result));
      }
      Thread.onSpinWait();
      spin();
    }
    unsentBytes += message.capacity();
    if (unsentBytes >= UNSENT_BYTES) {
      spin();
    }
  }

  private long offer(long number) {
    int sizeBytes = message.capacity();
    if (sizeBytes > publication.maxPayloadLength()) {
      message.putLong(0, number);
      return publication.offer(message);
    }
    long result = publication.tryClaim(sizeBytes, claim);
    if (result >= 0) {
      claim.buffer().putBytes(claim.offset(), message, 0, sizeBytes);
      claim.buffer().putLong(claim.offset(), number);
      claim.commit();
    }
    return result;
  }

  @Override
  public void close() {
    aeron.close();
  }
}
