package io.railflux.pipeline;

import io.railflux.message.Codecs;
import io.railflux.wire.ReceivedFrame;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** Frames become values. */
@Test
public class DecodeTckTest extends OperatorTck<Integer> {

  @Override
  Publisher<Integer> over(Flux<Integer> source) {
    ReceivedFrame frame = Frames.of(1);
    return new Decode<>(source.map(i -> frame), Incoming.plain(Codecs.int32()));
  }
}
