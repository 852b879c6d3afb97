package io.railflux.samples.bench.peers;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.logbuffer.BufferClaim;
import io.aeron.logbuffer.FragmentHandler;
import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Sample;
import io.railflux.samples.cli.shell.CommandFailure;
import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** One side of two Aeron streams, one each way. One thread, which spins; only {@link #stop} is for others. */
final class AeronLine implements AutoCloseable {

  private static final int OUT = 1;
  private static final int BACK = 2;
  private static final int FRAGMENTS = 256;
  private static final int CACHE_LINE_BYTES = 64;
  private static final long STUCK_NANOS = 10_000_000_000L;

  private final Aeron aeron;
  private final Publication publication;
  private final Subscription subscription;
  private final FragmentHandler arrivals =
      new FragmentAssembler((buffer, offset, length, header) -> onMessage(buffer, offset, length));
  private final BufferClaim claim = new BufferClaim();
  private final UnsafeBuffer message;
  private final int sizeBytes;
  private final FarWork work;
  private long arrived;
  private long last;
  private long sum;
  private volatile boolean stopped;

  private AeronLine(Aeron aeron, String channel, int to, int from, Job job) {
    this.aeron = aeron;
    this.publication = aeron.addExclusivePublication(channel, to);
    this.subscription = aeron.addSubscription(channel, from);
    this.sizeBytes = job.sizeBytes();
    this.message = new UnsafeBuffer(java.nio.ByteBuffer.allocateDirect(sizeBytes));
    Payload.put(Payload.fill(sizeBytes), message.byteBuffer(), 0, sizeBytes);
    this.work = new FarWork(job.roundTrip());
  }

  static AeronLine near(Aeron aeron, String channel, Job job) {
    return new AeronLine(aeron, channel, OUT, BACK, job);
  }

  static AeronLine far(Aeron aeron, String channel, Job job) {
    return new AeronLine(aeron, channel, BACK, OUT, job);
  }

  void serve() {
    long seen = 0;
    while (!stopped) {
      subscription.poll(arrivals, FRAGMENTS);
      if (arrived == seen) {
        Thread.onSpinWait();
      }
      seen = arrived;
    }
  }

  void stop() {
    stopped = true;
  }

  private void onMessage(DirectBuffer buffer, int offset, int length) {
    arrived++;
    last = buffer.getLong(offset);
    sum ^= touch(buffer, offset, length);
    if (publication.streamId() == BACK) {
      long answer = work.onMessage(last, sum);
      if (answer != FarWork.SILENCE) {
        send(answer);
      }
    }
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

  Sample oneWay(long nanos) {
    int clockEvery = Pace.clockEvery(sizeBytes);
    long begun = System.nanoTime();
    long number = 0;
    while (number % clockEvery != 0 || System.nanoTime() - begun < nanos) {
      send(number++);
    }
    send(FarWork.END);
    if (receive() != number) {
      throw new CommandFailure(last + " of " + number + " messages arrived over Aeron");
    }
    return new Sample(number, System.nanoTime() - begun, Sample.histogram());
  }

  Sample roundTrips(long nanos) {
    Histogram times = Sample.histogram();
    long begun = System.nanoTime();
    long now = begun;
    for (long number = 0; now - begun < nanos; number++) {
      long served = now;
      send(number);
      if (receive() != number) {
        throw new CommandFailure("another message came back over Aeron");
      }
      now = System.nanoTime();
      Sample.record(times, now - served);
    }
    return new Sample(times.getTotalCount(), now - begun, times);
  }

  private long receive() {
    long seen = arrived;
    while (arrived == seen) {
      if (subscription.poll(arrivals, FRAGMENTS) == 0) {
        Thread.onSpinWait();
      }
    }
    return last;
  }

  /** Encodes in place what fits one fragment, as Aeron advises. */
  private void send(long number) {
    if (sizeBytes > publication.maxPayloadLength()) {
      message.putLong(0, number);
      offer();
      return;
    }
    if (publication.tryClaim(sizeBytes, claim) < 0) {
      awaitRoom(() -> publication.tryClaim(sizeBytes, claim));
    }
    claim.buffer().putBytes(claim.offset(), message, 0, sizeBytes);
    claim.buffer().putLong(claim.offset(), number);
    claim.commit();
  }

  private void offer() {
    if (publication.offer(message) < 0) {
      awaitRoom(() -> publication.offer(message));
    }
  }

  private static void awaitRoom(java.util.function.LongSupplier attempt) {
    long begun = System.nanoTime();
    while (true) {
      long result = attempt.getAsLong();
      if (result >= 0) {
        return;
      }
      if (result == Publication.CLOSED || System.nanoTime() - begun > STUCK_NANOS) {
        throw new CommandFailure("Aeron took no message: " + Publication.errorString(result));
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    aeron.close();
  }
}
