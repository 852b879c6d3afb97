package io.railflux.pipeline;

import io.railflux.message.Codecs;
import io.railflux.wire.ReceivedFrame;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** The only frame becomes the only value. */
@Test
public class DecodeSingleTckTest extends OperatorTck<Integer> {

  @Override
  Publisher<Integer> over(Flux<Integer> source) {
    ReceivedFrame frame = Frames.last(1);
    return DecodeSingle.of(source.map(i -> frame), Incoming.plain(Codecs.int32()));
  }

  @Override
  public long maxElementsFromPublisher() {
    return 1;
  }
}
