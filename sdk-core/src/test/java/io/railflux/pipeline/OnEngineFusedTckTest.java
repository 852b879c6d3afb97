package io.railflux.pipeline;

import org.reactivestreams.Publisher;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** The step onto the engine, pulling from a fused source. */
@Test
public class OnEngineFusedTckTest extends OperatorTck<Integer> {

  @Override
  Publisher<Integer> over(Flux<Integer> source) {
    return new OnEngine<>(source, HERE, 4);
  }
}
