package io.railflux.pipeline;

import io.railflux.message.Codecs;
import org.reactivestreams.Publisher;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** Claims and encodes, with slots for all messages. */
@Test
public class EncodeTckTest extends OperatorTck<Slot> {

  @Override
  Publisher<Slot> over(Flux<Integer> source) {
    return new Encode<>(source, Outgoing.plain("n", Codecs.int32()), new FakeSlots());
  }
}
