package io.railflux.pipeline;

import io.railflux.wire.ReceivedFrame;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The part of receiving that is per stream; what precedes is shared by all streams of a peer. */
public final class ReceivePipeline {

  private ReceivePipeline() {}

  /** Frames in the stream's order become values; requests go up to the far producer. */
  public static <T> Flux<T> assemble(Flux<ReceivedFrame> frames, Incoming<T> incoming) {
    return new Decode<>(frames, incoming);
  }

  /** The same for the only frame there may be. */
  public static <T> Mono<T> assembleSingle(Flux<ReceivedFrame> frames, Incoming<T> incoming) {
    return DecodeSingle.of(frames, incoming);
  }
}
