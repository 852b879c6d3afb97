package io.railflux.pipeline;

import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.ContextView;

/**
 * Restores thread-local values from the Reactor context around code of users on the engine thread: sources, handlers
 * and codecs. Active only under {@link Hooks#enableAutomaticContextPropagation()}, like Reactor's own sources. After
 * each call the thread has its former values.
 *
 * <p>Built from operators of Reactor, which know the accessors of the application, so that Railflux does not need the
 * context-propagation library.
 */
public final class ThreadLocals {

  /** Unknown to Reactor, like a publisher of a user. */
  private static final Flux<Object> FOREIGN = new Flux<>() {
    @Override
    public void subscribe(CoreSubscriber<? super Object> actual) {
      Operators.complete(actual);
    }
  };

  private ThreadLocals() {}

  /**
   * Whether the hook is active: Reactor then wraps foreign publishers. Hooks report it only from reactor-core 3.7.12
   * on. Without the hook this reads one static field.
   *
   * @return also false without the context-propagation library
   */
  @SuppressWarnings("ReferenceEquality") // The wrapper is a different object.
  public static boolean areRestored() {
    return Flux.from(FOREIGN) != FOREIGN;
  }

  /** Returns the source with subscription, requests and cancellation in the context of its subscriber. */
  static <T> Publisher<? extends T> around(Publisher<? extends T> source) {
    return areRestored() ? Flux.<T>from(source).contextWrite(Function.identity()) : source;
  }

  /**
   * Returns an encoder whose codec runs in {@code context}. Engine thread.
   *
   * @param outgoing the encoder
   * @param context source of the thread-local values
   * @return {@code outgoing} itself without the hook
   */
  public static <T> Outgoing<T> around(Outgoing<T> outgoing, ContextView context) {
    return areRestored() && !context.isEmpty() ? new Restoring<>(outgoing, context) : outgoing;
  }

  /** Returns a decoder whose codec runs in {@code context}. */
  static <T> Incoming<T> around(Incoming<T> incoming, ContextView context) {
    return areRestored() && !context.isEmpty()
        ? (ReceivedFrame frame) -> call(context, () -> incoming.decode(frame))
        : incoming;
  }

  /**
   * Like {@link #run}, for code with a result.
   *
   * @throws RuntimeException or any other exception of an accessor that cannot set its value; the code then did not
   *     run
   */
  static <T> T call(ContextView context, Supplier<T> code) {
    Call<T> call = new Call<>(code);
    Mono.fromRunnable(call).contextWrite(context).subscribe(null, call::failed);
    return call.outcome();
  }

  /**
   * Runs code of a user in {@code context}, immediately on this thread, if the hook is active.
   *
   * @param context source of the values
   * @param code the code; its exceptions pass unchanged, as do those of an accessor that cannot set its value, in
   *     which case {@code code} did not run
   */
  public static void run(ContextView context, Runnable code) {
    call(context, () -> {
      code.run();
      return null;
    });
  }

  private static final class Call<T> implements Runnable {

    private final Supplier<T> code;
    private T result;
    private Throwable thrown;
    private boolean ran;

    Call(Supplier<T> code) {
      this.code = code;
    }

    @Override
    public void run() {
      ran = true;
      try {
        result = code.get();
      } catch (Throwable t) {
        // Passed to the caller, not to Reactor.
        thrown = t;
      }
    }

    /** An accessor failed. */
    void failed(Throwable t) {
      thrown = thrown == null ? t : thrown;
    }

    T outcome() {
      if (!ran && thrown == null) {
        throw new IllegalStateException("a thread-local value of the context could not be set");
      }
      if (thrown != null) {
        throw ThreadLocals.<RuntimeException>asIs(thrown);
      }
      return result;
    }
  }

  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // Checked exceptions pass too.
  private static <E extends Throwable> E asIs(Throwable t) throws E {
    throw (E) t;
  }

  private record Restoring<T>(Outgoing<T> outgoing, ContextView context) implements Outgoing<T> {

    @Override
    public int maxBodyBytes(T value) {
      return call(context, () -> outgoing.maxBodyBytes(value));
    }

    @Override
    public void encode(T value, ByteBuffer body) {
      run(context, () -> outgoing.encode(value, body));
    }

    @Override
    public Outgoing<T> forSubscription(int maxBytes) {
      Outgoing<T> own = outgoing.forSubscription(maxBytes);
      return own == outgoing ? this : new Restoring<>(own, context);
    }

    @Override
    public void forget() {
      outgoing.forget();
    }

    @Override
    public String describe() {
      return outgoing.describe();
    }

    @Override
    public ByteBuffer inPlace(T value) {
      return call(context, () -> outgoing.inPlace(value));
    }

    @Override
    public ByteBuffer metadata(T value) {
      return outgoing.metadata(value);
    }

    @Override
    public long timeToLiveNanos(T value) {
      return outgoing.timeToLiveNanos(value);
    }

    @Override
    public boolean isBare(T value) {
      return outgoing.isBare(value);
    }
  }
}
