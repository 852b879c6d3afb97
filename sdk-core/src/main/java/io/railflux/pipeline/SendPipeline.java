package io.railflux.pipeline;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The part of sending that is per stream; what follows is shared by all streams of a peer. */
public final class SendPipeline {

  private SendPipeline() {}

  /**
   * Values of any thread become encoded entries on the engine thread, as many as downstream asks for.
   *
   * @param prefetch values requested ahead at most, never beyond downstream's demand
   */
  public static <T> Flux<Slot> assemble(
      Publisher<? extends T> values,
      Outgoing<T> outgoing,
      EngineAffinity engine,
      SlotSource slots,
      int prefetch) {
    Flux<T> onEngine = new OnEngine<>(values, engine, prefetch);
    return new Encode<>(onEngine, outgoing, slots);
  }
}
