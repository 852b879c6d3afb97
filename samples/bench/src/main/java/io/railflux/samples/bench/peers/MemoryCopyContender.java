package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.measure.Pace;
import io.railflux.samples.cli.measure.Payload;
import io.railflux.samples.cli.measure.Reading;
import io.railflux.samples.cli.measure.Sample;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** An upper bound: one thread of the near side copies each message between two buffers and reads it there. */
final class MemoryCopyContender implements Contender {

  @Override
  public Far serve(Job job) {
    return new NoFar();
  }

  @Override
  public Near connect(String address, Job job) {
    return new Copies(job);
  }

  /** A far side that receives no message. */
  private record NoFar() implements Far {

    @Override
    public String address() {
      return "nowhere";
    }

    @Override
    public void close() {
      // No resource was opened.
    }
  }

  private static final class Copies implements Near {

    private final int sizeBytes;
    private final ByteBuffer from;
    private final ByteBuffer to;
    private final Reading reading;

    Copies(Job job) {
      this.sizeBytes = job.sizeBytes();
      this.from = Payload.fill(sizeBytes);
      this.to = ByteBuffer.allocateDirect(sizeBytes).order(ByteOrder.LITTLE_ENDIAN);
      this.reading = job.reading();
    }

    @Override
    public Sample round(long nanos) {
      int clockMask = Pace.clockMask(sizeBytes);
      long begun = System.nanoTime();
      long number = 0;
      while ((number & clockMask) != 0 || System.nanoTime() - begun < nanos) {
        Payload.put(from, to, 0, sizeBytes);
        to.putLong(0, number++);
        reading.read(to, 0);
      }
      return new Sample(number, System.nanoTime() - begun, Sample.histogram());
    }

    @Override
    public void rest(long nanos) {
      throw new UnsupportedOperationException("a copy involves no wait");
    }

    @Override
    public void close() {
      // No resource was opened.
    }
  }
}
