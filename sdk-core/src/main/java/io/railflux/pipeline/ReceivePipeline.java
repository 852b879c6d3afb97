package io.railflux.pipeline;

import io.railflux.wire.ReceivedFrame;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The stages of receiving per stream; earlier stages are shared by all streams of a peer. */
public final class ReceivePipeline {

  private ReceivePipeline() {}

  /** Decodes the frames of a stream; requests reach the remote producer. */
  public static <T> Flux<T> assemble(Flux<ReceivedFrame> frames, Incoming<T> incoming) {
    return new Decode<>(frames, incoming);
  }

  /** Decodes a source of at most one frame. */
  public static <T> Mono<T> assembleSingle(Flux<ReceivedFrame> frames, Incoming<T> incoming) {
    return DecodeSingle.of(frames, incoming);
  }
}
