package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.HeapSnapshot;
import io.railflux.engine.TwoEngines.Setting;
import io.railflux.engine.base.EngineConfig;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.engine.stream.Responder;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import io.railflux.policy.Rendezvous;
import io.railflux.wire.ReceivedFrame;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A large request that lands at any moment around the end of its session has no recipient for an answer. */
class LateRequestTest {

  private static final int BYTES = 300_000;

  private static final int BUDGET_BYTES = 1 << 20;

  /** Upper bound of the time from the request to its landing. */
  private static final long LATEST_NANOS = 200_000;

  private static final Outgoing<Integer> ZEROES = new Outgoing<>() {
    @Override
    public int maxBodyBytes(Integer bytes) {
      return bytes;
    }

    @Override
    public void encode(Integer bytes, ByteBuffer body) {
      body.put(new byte[bytes]);
    }
  };

  private int answered;
  private int late;

  private Responder responder(TwoEngines engines) {
    return new Responder() {
      @Override
      public String requestCodec() {
        return "bytes";
      }

      @Override
      public String replyCodec() {
        return "bytes";
      }

      @Override
      public boolean single() {
        return true;
      }

      @Override
      public void onRequest(ReceivedFrame request, Responder.Exchange exchange) {
        boolean isThere = engines.farChannel.state() == SessionLifecycle.State.ESTABLISHED;
        answered += isThere ? 1 : 0;
        late += isThere ? 0 : 1;
      }
    };
  }

  private TwoEngines requesting(int bytes) {
    EngineConfig.Large read = EngineConfig.Large.DEFAULT
        .withMode(Rendezvous.READ)
        .withSendBudgetBytes(BUDGET_BYTES)
        .withReceiveBudgetBytes(BUDGET_BYTES);
    TwoEngines engines = TwoEngines.connected(Setting.of(SimConfig.rdma()).with(read));
    engines.far.engine().respond("zeroes", responder(engines));
    var route = new Exchanges.RouteKey("zeroes", "bytes", "bytes");
    engines.near.run(() -> ReceivePipeline.assemble(
            new PeerFlux.Replies<>(engines.nearChannel.streams(), route, bytes, ZEROES), frame -> 0)
        .subscribe(reply -> {}, error -> {}));
    return engines;
  }

  private void requestAndAbortAfter(long nanos) {
    TwoEngines engines = requesting(BYTES);
    engines.pass(nanos);
    engines.far.run(() -> engines.farChannel.abort("enough"));
    engines.pass(TwoEngines.MILLIS);
    assertEquals(
        0, engines.far.engine().landingMemory().outstandingBytes(), () -> "after " + nanos);
  }

  @Test
  @Tag("RV2")
  void isNeitherAnsweredNorRetained() {
    int times = 0;
    for (long nanos = 0; nanos < LATEST_NANOS; nanos += 250) {
      requestAndAbortAfter(nanos);
      times++;
    }
    assertEquals(0, late, "answered after the session had ended");
    int landed = answered;
    int of = times;
    assertTrue(landed > 0 && landed < of, () -> landed + " of " + of + " landed before");
  }

  /** The test retains both channels. The budgets, within which pools keep memory, are smaller than the request. */
  @Test
  @Tag("RV1")
  void leavesNoMemoryInRetainedChannels() {
    TwoEngines engines = requesting(6 * BUDGET_BYTES);
    engines.await(() -> engines.far.engine().landingMemory().outstandingBytes() > 0);
    engines.far.run(() -> engines.farChannel.abort("enough"));
    engines.await(() -> engines.nearChannel.isClosed());
    engines.pass(10 * TwoEngines.MILLIS);

    assertEquals(List.of(), HeapSnapshot.take().largeMemory(5 * BUDGET_BYTES, Set.of()));
    assertTrue(engines.farChannel.isClosed());
    assertEquals(0, answered);
  }
}
