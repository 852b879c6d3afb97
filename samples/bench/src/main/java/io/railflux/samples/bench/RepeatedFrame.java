package io.railflux.samples.bench;

import io.railflux.wire.FrameHeader;
import io.railflux.wire.FrameType;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** One received message, as often as it is asked for. */
final class RepeatedFrame extends Flux<ReceivedFrame> {

  private final ReceivedFrame frame = new ReceivedFrame();

  RepeatedFrame(int bodyBytes) {
    int lengthBytes = FrameHeader.BYTES + bodyBytes;
    ByteBuffer memory = ByteBuffer.allocateDirect(FrameHeader.slotBytes(lengthBytes))
        .order(ByteOrder.LITTLE_ENDIAN);
    FrameHeader.put(memory, 0, 1, 1, 1);
    long word = FrameHeader.word(lengthBytes, FrameType.DATA, 0, FrameHeader.BYTES);
    if (frame.read(memory, 0, word, memory.capacity()) != null) {
      throw new IllegalStateException("the frame is valid");
    }
  }

  ReceivedFrame frame() {
    return frame;
  }

  @Override
  public void subscribe(CoreSubscriber<? super ReceivedFrame> actual) {
    actual.onSubscribe(new Subscription() {
      @Override
      public void request(long n) {
        for (long i = 0; i < n; i++) {
          actual.onNext(frame);
        }
      }

      @Override
      public void cancel() {
        throw new IllegalStateException("nobody gives up");
      }
    });
  }
}
