package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertIterableEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.message.Headers;
import io.railflux.pipeline.Metadatas;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.BaseSubscriber;

/**
 * Requests and replies in the one mapped ring, which reuses the known free space. State that a request leaves in the
 * reused entry affects no other request.
 */
class KnownRoomTest {

  private static final int RING_BYTES = 64 << 10;
  private static final int REQUESTS = 4_000;

  private final TwoEngines engines = TwoEngines.connected(
      Setting.of(SimConfig.mapped()).with(EngineConfig.Limits.DEFAULT.withRingBytes(RING_BYTES)));

  private final List<Boolean> left = new ArrayList<>();
  private final List<Long> replies = new ArrayList<>();
  private final List<Long> failed = new ArrayList<>();

  /** The fate of a request, by number. */
  private enum Kind {
    BARE,
    LONG,
    WITH_HEADERS,
    MAY_EXPIRE,
    FAILS_IN_ITS_CODEC,
    IS_GIVEN_UP,
    FAILS_IN_THE_REPLYS_CODEC;

    static Kind of(long number) {
      return values()[(int) (number % values().length)];
    }
  }

  private final class Asking extends BaseSubscriber<Long> implements Outgoing<Long> {

    private final long number;
    private final Kind kind;

    Asking(long number) {
      this.number = number;
      this.kind = Kind.of(number);
    }

    @Override
    public int maxBodyBytes(Long value) {
      return kind == Kind.LONG ? 1_000 : Long.BYTES;
    }

    @Override
    public void encode(Long value, ByteBuffer body) {
      body.putLong(value);
      if (kind == Kind.LONG) {
        body.position(body.limit());
      } else if (kind == Kind.IS_GIVEN_UP) {
        cancel();
      } else if (kind == Kind.FAILS_IN_ITS_CODEC) {
        throw new IllegalStateException("on purpose");
      }
    }

    @Override
    public ByteBuffer metadata(Long value) {
      return kind == Kind.WITH_HEADERS
          ? Metadatas.encode(Headers.empty().with("name", "value"), Map.of())
          : null;
    }

    @Override
    public long timeToLiveNanos(Long value) {
      return kind == Kind.MAY_EXPIRE ? 10 * TwoEngines.MILLIS : 0;
    }

    @Override
    protected void hookOnNext(Long reply) {
      replies.add(reply);
    }

    @Override
    protected void hookOnError(Throwable error) {
      failed.add(number);
    }
  }

  private static final Outgoing<Long> REPLY = new Outgoing<>() {
    @Override
    public int maxBodyBytes(Long value) {
      return Long.BYTES;
    }

    @Override
    public void encode(Long value, ByteBuffer body) {
      body.putLong(~value);
      if (Kind.of(value) == Kind.FAILS_IN_THE_REPLYS_CODEC) {
        throw new IllegalStateException("on purpose");
      }
      body.putLong(body.position() - Long.BYTES, value);
    }
  };

  private void ask(long number) {
    var route = new Exchanges.RouteKey("prompt", "number", "number");
    Asking asking = new Asking(number);
    ReceivePipeline.assembleSingle(
            new PeerFlux.Replies<>(engines.nearChannel.streams(), route, number, asking),
            frame -> frame.body().getLong())
        .subscribe(asking);
  }

  private static List<Long> numbers(Kind... kinds) {
    return LongStream.range(0, REQUESTS)
        .filter(number -> List.of(kinds).contains(Kind.of(number)))
        .boxed()
        .toList();
  }

  @Test
  void requestsOfAllKindsAreAnsweredInOrder() {
    engines.far.engine().respond("prompt", new PromptResponder(engines, REPLY, true, left));
    for (long number = 0; number < REQUESTS; number++) {
      long asked = number;
      engines.near.run(() -> ask(asked));
      if (number % 5 == 0) {
        engines.awaitQuiet();
      }
    }
    engines.awaitQuiet();

    assertIterableEquals(
        numbers(Kind.BARE, Kind.LONG, Kind.WITH_HEADERS, Kind.MAY_EXPIRE), replies);
    assertEquals(
        numbers(Kind.FAILS_IN_ITS_CODEC, Kind.FAILS_IN_THE_REPLYS_CODEC).size(), failed.size());
    assertEquals(replies.size(), left.stream().filter(gone -> gone).count());
    assertEquals(0, engines.nearChannel.streams().exchanges().inFlight());
    assertTrue(
        engines.nearChannel.live().get(0).writer().ring().written() > 2 * RING_BYTES, "one round");
  }
}
