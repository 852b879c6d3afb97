package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.session.VirtualChannel;
import io.railflux.engine.stream.InboundStream;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.pipeline.Incoming;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.pipeline.SendPipeline;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.function.LongToIntFunction;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/** A stream of numbers in either direction, with the signals of both ends. */
public final class Flow implements CoreSubscriber<Long> {

  private static final String CODEC = "numbers";

  private final TwoEngines engines;
  public final String name;
  public final RecordingSink sink = new RecordingSink();
  public final List<Long> received = new ArrayList<>();
  private LongToIntFunction bytesOf = number -> Long.BYTES;

  /** Runs inside the codec. */
  public LongConsumer onEncoding = number -> {};

  /** Runs inside {@link #onNext}. */
  public LongConsumer onReceived = number -> {};

  private boolean back;
  private long firstRequest = Long.MAX_VALUE;
  private Context context = Context.empty();

  public OutboundStream out;
  public Subscription subscription;
  public boolean completed;
  public Throwable error;

  Flow(TwoEngines engines, String name) {
    this.engines = engines;
    this.name = name;
  }

  /** Reverses the direction: from far to near. */
  public Flow back() {
    back = true;
    return this;
  }

  public DrivenEngine sender() {
    return back ? engines.far : engines.near;
  }

  private DrivenEngine receiver() {
    return back ? engines.near : engines.far;
  }

  private VirtualChannel sending() {
    return back ? engines.farChannel : engines.nearChannel;
  }

  private VirtualChannel receiving() {
    return back ? engines.nearChannel : engines.farChannel;
  }

  /** Sets the size of each message. */
  public Flow sized(LongToIntFunction bytes) {
    bytesOf = bytes;
    return this;
  }

  /** Sets the context of the sender. */
  Flow with(Context senderContext) {
    context = senderContext;
    return this;
  }

  /** Sets the size of all messages. */
  public Flow sized(int bytes) {
    return sized(number -> bytes);
  }

  public Flow send(long count) {
    return send(Flux.range(0, (int) count).map(Integer::longValue));
  }

  public Flow send(Publisher<Long> numbers) {
    sender().run(() -> {
      out = sending().streams().open(name, CODEC, null, sink, context);
      SendPipeline.assemble(numbers, outgoing(), sender().engine(), out, OutboundStream.PREFETCH)
          .subscribe(out);
    });
    return this;
  }

  /** Subscribes with an initial demand. */
  public Flow receive(long request) {
    firstRequest = request;
    receiver()
        .run(() -> ReceivePipeline.assemble(
                new PeerFlux.Messages(receiving().streams(), name, CODEC), incoming())
            .subscribe(this));
    return this;
  }

  public Flow receive() {
    return receive(Long.MAX_VALUE);
  }

  void request(long n) {
    receiver().run(() -> subscription.request(n));
  }

  public void cancel() {
    receiver().run(() -> subscription.cancel());
  }

  private Outgoing<Long> outgoing() {
    return new Outgoing<>() {
      @Override
      public int maxBodyBytes(Long value) {
        return bytesOf.applyAsInt(value);
      }

      @Override
      public void encode(Long value, ByteBuffer body) {
        body.putLong(value);
        onEncoding.accept(value);
        while (body.remaining() >= Long.BYTES) {
          body.putLong(~value);
        }
      }
    };
  }

  private Incoming<Long> incoming() {
    return frame -> {
      ByteBuffer body = frame.body();
      long number = body.getLong();
      while (body.remaining() >= Long.BYTES) {
        assertEquals(~number, body.getLong(), "a torn message");
      }
      return number;
    };
  }

  /** Returns the receiving half in the engine. */
  InboundStream in() {
    return receiving().streams().inbound().stream()
        .filter(stream -> stream.name().equals(name))
        .findFirst()
        .orElse(null);
  }

  public boolean ended() {
    return sink.ended() && (completed || error != null);
  }

  /** Requires that all numbers from 0 arrived once and in order. */
  public void assertReceived(long count) {
    assertEquals(count, received.size());
    assertInOrder();
  }

  public void assertInOrder() {
    for (int i = 0; i < received.size(); i++) {
      assertEquals(i, received.get(i));
    }
  }

  @Override
  public void onSubscribe(Subscription s) {
    subscription = s;
    if (firstRequest > 0) {
      s.request(firstRequest);
    }
  }

  @Override
  public void onNext(Long number) {
    received.add(number);
    onReceived.accept(number);
  }

  @Override
  public void onError(Throwable cause) {
    error = cause;
  }

  @Override
  public void onComplete() {
    completed = true;
  }
}
