package io.railflux.pipeline;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The stages of sending per stream; later stages are shared by all streams of a peer. */
public final class SendPipeline {

  private SendPipeline() {}

  /**
   * Moves values of any thread to the engine thread and encodes them, within the demand of downstream.
   *
   * @param prefetch largest number of values requested ahead, within the demand
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
