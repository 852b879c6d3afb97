package io.railflux.pipeline;

import org.reactivestreams.Publisher;
import org.testng.annotations.Test;
import reactor.core.publisher.Flux;

/** The step onto the engine, requesting from a source that does not fuse. */
@Test
public class OnEnginePlainTckTest extends OperatorTck<Integer> {

  @Override
  Publisher<Integer> over(Flux<Integer> source) {
    return new OnEngine<>(source.hide(), HERE, 4);
  }
}
