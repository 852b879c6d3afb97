package io.railflux.fabric.sim;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.Opcode;
import io.railflux.fabric.sim.events.SimRandom;

/** An event that the next poll delivers. */
abstract class SimDelivery {

  private final PairEnd endpoint;
  private final FabricListener listener;

  SimDelivery(PairEnd endpoint, FabricListener listener) {
    this.endpoint = endpoint;
    this.listener = listener;
  }

  final PairEnd endpoint() {
    return endpoint;
  }

  final FabricListener listener() {
    return listener;
  }

  /** A closed endpoint delivers no events. */
  final boolean wanted() {
    return endpoint == null || !endpoint.isClosed();
  }

  abstract void deliver(Completion scratch);

  /** Returns the number of this delivery for the trace. */
  abstract long detail();

  static final class Connected extends SimDelivery {
    private final long attempt;

    Connected(PairEnd endpoint, long attempt) {
      super(endpoint, endpoint.listener());
      this.attempt = attempt;
    }

    @Override
    void deliver(Completion scratch) {
      listener().onConnected(endpoint(), attempt);
    }

    @Override
    long detail() {
      return attempt;
    }
  }

  static final class ConnectFailed extends SimDelivery {
    private final long attempt;
    private final String reason;

    ConnectFailed(FabricListener listener, long attempt, String reason) {
      super(null, listener);
      this.attempt = attempt;
      this.reason = reason;
    }

    @Override
    void deliver(Completion scratch) {
      listener().onConnectFailed(attempt, reason);
    }

    @Override
    long detail() {
      return ~attempt;
    }
  }

  static final class Failed extends SimDelivery {
    private final String reason;

    Failed(PairEnd endpoint, String reason) {
      super(endpoint, endpoint.listener());
      this.reason = reason;
    }

    @Override
    void deliver(Completion scratch) {
      listener().onError(endpoint(), reason);
    }

    @Override
    long detail() {
      return 1;
    }
  }

  static final class Drained extends SimDelivery {
    Drained(PairEnd endpoint) {
      super(endpoint, endpoint.listener());
    }

    @Override
    void deliver(Completion scratch) {
      endpoint().drained();
      listener().onDrained(endpoint());
    }

    @Override
    long detail() {
      return 2;
    }
  }

  /** Completion of a request; frees its place and those of earlier unsignaled ones. */
  static final class Sent extends SimDelivery {
    private final Request request;
    private final CompletionStatus status;
    private final int slots;

    Sent(Request request, CompletionStatus status, int slots) {
      super(request.origin, request.origin.listener());
      this.request = request;
      this.status = status;
      this.slots = slots;
    }

    @Override
    void deliver(Completion scratch) {
      endpoint().sendQueue().release(slots);
      scratch.set(request.id, request.opcode, status, 0, 0);
      listener().onCompletion(endpoint(), scratch);
    }

    @Override
    long detail() {
      return SimRandom.mix(request.id) + status.name().hashCode();
    }
  }

  /** Completion of a posted receive. */
  static final class Received extends SimDelivery {
    private final long id;
    private final Opcode opcode;
    private final CompletionStatus status;
    private final int lengthBytes;
    private final int immediate;

    Received(PairEnd endpoint, Receive receive, CompletionStatus status) {
      this(endpoint, receive, Opcode.RECEIVE, status, 0, 0);
    }

    Received(PairEnd endpoint, Receive receive, Request request) {
      this(
          endpoint,
          receive,
          request.opcode == Opcode.SEND ? Opcode.RECEIVE : Opcode.RECEIVE_IMMEDIATE,
          CompletionStatus.SUCCESS,
          request.lengthBytes,
          request.opcode == Opcode.SEND ? 0 : request.immediate);
    }

    private Received(
        PairEnd endpoint,
        Receive receive,
        Opcode opcode,
        CompletionStatus status,
        int lengthBytes,
        int immediate) {
      super(endpoint, endpoint.listener());
      this.id = receive.id();
      this.opcode = opcode;
      this.status = status;
      this.lengthBytes = lengthBytes;
      this.immediate = immediate;
    }

    @Override
    void deliver(Completion scratch) {
      endpoint().responder().releaseReceive();
      scratch.set(id, opcode, status, lengthBytes, immediate);
      listener().onCompletion(endpoint(), scratch);
    }

    @Override
    long detail() {
      return SimRandom.mix(id) + status.name().hashCode() * 31L + lengthBytes;
    }
  }
}
