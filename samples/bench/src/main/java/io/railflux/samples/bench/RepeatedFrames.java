package io.railflux.samples.bench;

import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** Repeats a few received messages as often as they are requested. */
final class RepeatedFrames extends Flux<ReceivedFrame> {

  // Several frames, so that the JIT cannot treat the content as constant.
  private final ReceivedFrame[] frames = new ReceivedFrame[16];
  private int turn;

  RepeatedFrames(int bodyBytes) {
    for (int i = 0; i < frames.length; i++) {
      frames[i] = frame(bodyBytes, i);
    }
  }

  private static ReceivedFrame frame(int bodyBytes, long number) {
    int lengthBytes = FrameHeader.BYTES + bodyBytes;
    ByteBuffer memory = ByteBuffer.allocateDirect(FrameHeader.slotBytes(lengthBytes))
        .order(ByteOrder.LITTLE_ENDIAN)
        .putLong(FrameHeader.BYTES, number);
    FrameHeader.put(memory, 0, number, 1, number);
    long word = FrameHeader.word(lengthBytes, FrameType.DATA, 0, FrameHeader.BYTES);
    ReceivedFrame frame = new ReceivedFrame();
    if (frame.read(memory, 0, word, memory.capacity()) != null) {
      throw new IllegalStateException("the frame is valid");
    }
    return frame;
  }

  ReceivedFrame following() {
    return frames[turn++ & frames.length - 1];
  }

  @Override
  public void subscribe(CoreSubscriber<? super ReceivedFrame> actual) {
    actual.onSubscribe(new Subscription() {
      @Override
      public void request(long n) {
        for (long i = 0; i < n; i++) {
          actual.onNext(following());
        }
      }

      @Override
      public void cancel() {
        throw new IllegalStateException("the subscriber must not cancel");
      }
    });
  }
}
