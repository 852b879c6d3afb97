package io.railflux.lab;

import io.railflux.engine.stream.Exchanges;
import io.railflux.engine.stream.PeerFlux;
import io.railflux.pipeline.Outgoing;
import io.railflux.pipeline.ReceivePipeline;
import java.nio.ByteBuffer;

/** Sends requests as {@code Peer.request} does. The replies to a request are a flow. */
final class Exchanging {

  /** A request: the flow that it asks for, and its size in bytes. */
  record Ask(long key, int size) {

    void write(ByteBuffer into) {
      into.putLong(key);
      new Payload(key, -1, size).write(into);
    }

    boolean matches(ByteBuffer body) {
      return new Payload(key, -1, size).equalTo(body);
    }
  }

  static final String SINGLE = "single";
  static final String MANY = "many";
  private static final String REQUEST_CODEC = "ask";

  private Exchanging() {}

  static String requestCodec() {
    return REQUEST_CODEC;
  }

  /** Returns the size of the request for a flow. Both sides compute the same size. */
  static int requestSize(long key, int maxBytes) {
    int most = Math.max(0, maxBytes - Long.BYTES);
    int size = (key & 3) == 0 ? (int) (key >>> 8) & 0x7fff : (int) (key >>> 8) & 0x1ff;
    return size % (most + 1);
  }

  /** Schedules the subscription of the requester as planned. */
  static void begin(Flow flow, int maxBytes, SeededRandom random) {
    Side requester = flow.to;
    boolean foreign = flow.plan.manner().foreign();
    Runnable ask = () -> ask(flow, maxBytes, random);
    if (foreign) {
      requester.node.later(flow.plan.manner().subscribeDelayNanos(), ask);
    } else {
      requester.node.laterOnEngine(flow.plan.manner().subscribeDelayNanos(), ask);
    }
  }

  private static void ask(Flow flow, int maxBytes, SeededRandom random) {
    Side requester = flow.to;
    Ask request = new Ask(flow.key, requestSize(flow.key, maxBytes));
    String route = flow.plan.story() == Story.NO_ROUTE ? "nobody" : isSingle(flow) ? SINGLE : MANY;
    String replies = flow.plan.story() == Story.CODEC_MISMATCH ? "another" : Wiring.CODEC;
    var key = new Exchanges.RouteKey(route, REQUEST_CODEC, replies);
    ReceivePipeline.assemble(
            new PeerFlux.Replies<>(requester.channel.streams(), key, request, OUTGOING),
            Wiring.incoming(flow))
        .subscribe(new Receiver(flow, requester.node, random));
  }

  static boolean isSingle(Flow flow) {
    return flow.plan.count() <= 1;
  }

  private static final Outgoing<Ask> OUTGOING = new Outgoing<>() {
    @Override
    public int maxBodyBytes(Ask value) {
      return Long.BYTES + value.size();
    }

    @Override
    public void encode(Ask value, ByteBuffer body) {
      value.write(body);
    }
  };
}
