package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.engine.connect.Destination;
import io.railflux.engine.connect.Handshake;
import io.railflux.engine.connect.Redials;
import io.railflux.engine.path.Path;
import io.railflux.engine.path.PathProbe;
import io.railflux.engine.path.Subchannel;
import io.railflux.engine.rendezvous.RendezvousReceive;
import io.railflux.engine.rendezvous.RendezvousSend;
import io.railflux.engine.session.SessionLifecycle;
import io.railflux.engine.stream.InboundStream;
import io.railflux.engine.stream.OutboundStream;
import io.railflux.fabric.EndpointState;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** All transitions. Others are forbidden. The simulation takes them: TransitionsTest of samples/lab. */
@Tag("FT2")
class StateTablesTest {

  private static <S extends Enum<S>> void allows(
      S[] states, BiPredicate<S, S> canBecome, String... transitions) {
    Set<String> allowed = new TreeSet<>();
    for (S from : states) {
      for (S to : states) {
        if (canBecome.test(from, to)) {
          allowed.add(from + " -> " + to);
        }
      }
    }
    assertEquals(new TreeSet<>(Set.of(transitions)), allowed);
  }

  @Test
  void outboundStream() {
    allows(
        OutboundStream.State.values(),
        OutboundStream.State::canBecome,
        "OPENING -> FLOWING",
        "OPENING -> ENDING",
        "OPENING -> ENDED",
        "FLOWING -> ENDING",
        "FLOWING -> ENDED",
        "ENDING -> HALF_CLOSED",
        "ENDING -> ENDED",
        "HALF_CLOSED -> ENDED");
  }

  @Test
  @Tag("FT1")
  void endpoint() {
    allows(
        EndpointState.values(),
        EndpointState::canBecome,
        "READY -> DRAINING",
        "READY -> CLOSED",
        "DRAINING -> DRAINED",
        "DRAINING -> CLOSED",
        "DRAINED -> CLOSED");
  }

  @Test
  @Tag("FT4")
  void redial() {
    allows(
        Redials.State.values(),
        Redials.State::canBecome,
        "WAITING -> DIALING",
        "WAITING -> OVER",
        "DIALING -> WAITING",
        "DIALING -> OVER");
  }

  @Test
  void inboundStream() {
    allows(
        InboundStream.State.values(),
        InboundStream.State::canBecome,
        "AWAITING_PRODUCER -> FLOWING",
        "AWAITING_PRODUCER -> ENDED",
        "FLOWING -> DRAINING",
        "FLOWING -> ENDED",
        "DRAINING -> ENDED");
  }

  @Test
  void rendezvousSend() {
    allows(
        RendezvousSend.State.values(),
        RendezvousSend.State::canBecome,
        "OFFERED -> WRITING",
        "OFFERED -> ABANDONED",
        "OFFERED -> OVER",
        "WRITING -> OFFERED",
        "WRITING -> ABANDONED",
        "WRITING -> OVER",
        "ABANDONED -> OVER");
  }

  @Test
  void rendezvousReceive() {
    allows(
        RendezvousReceive.State.values(),
        RendezvousReceive.State::canBecome,
        "AWAITING_MEMORY -> MOVING",
        "AWAITING_MEMORY -> OVER",
        "MOVING -> LANDED",
        "MOVING -> ABANDONED",
        "MOVING -> OVER",
        "LANDED -> OVER",
        "ABANDONED -> OVER");
  }

  @Test
  void subchannel() {
    allows(
        Subchannel.State.values(),
        Subchannel.State::canBecome,
        "HANDSHAKING -> LIVE",
        "HANDSHAKING -> FENCING",
        "LIVE -> FENCING",
        "LIVE -> RETIRED",
        "FENCING -> FENCED",
        "FENCING -> RETIRED",
        "FENCED -> RETIRED");
  }

  @Test
  void handshake() {
    allows(
        Handshake.State.values(),
        Handshake.State::canBecome,
        "AWAITING_HELLO -> AWAITING_PROOF",
        "AWAITING_HELLO -> AWAITING_JOINED",
        "AWAITING_HELLO -> AWAITING_TURN",
        "AWAITING_TURN -> AWAITING_JOINED",
        "AWAITING_TURN -> OVER",
        "AWAITING_HELLO -> OVER",
        "AWAITING_HELLO -> AWAITING_MEMORY",
        "AWAITING_PROOF -> AWAITING_MEMORY",
        "AWAITING_PROOF -> OVER",
        "AWAITING_MEMORY -> AWAITING_JOINED",
        "AWAITING_MEMORY -> OVER",
        "AWAITING_JOINED -> OVER");
  }

  @Test
  void channel() {
    allows(
        SessionLifecycle.State.values(),
        SessionLifecycle.State::canBecome,
        "ESTABLISHED -> PAUSED",
        "ESTABLISHED -> CLOSING",
        "ESTABLISHED -> CLOSED",
        "PAUSED -> ESTABLISHED",
        "PAUSED -> CLOSING",
        "PAUSED -> CLOSED",
        "CLOSING -> CLOSED");
  }

  @Test
  void path() {
    allows(
        Path.State.values(),
        Path.State::canBecome,
        "AVAILABLE -> RECOVERING",
        "RECOVERING -> UNAVAILABLE",
        "RECOVERING -> AVAILABLE",
        "UNAVAILABLE -> AVAILABLE");
  }

  @Test
  void destination() {
    allows(
        Destination.State.values(),
        Destination.State::canBecome,
        "WAITING -> TRYING",
        "WAITING -> REMOVED",
        "TRYING -> CARRYING",
        "TRYING -> WAITING",
        "TRYING -> REMOVED",
        "CARRYING -> WAITING",
        "CARRYING -> REMOVED");
  }

  @Test
  void pathProbe() {
    allows(
        PathProbe.State.values(),
        PathProbe.State::canBecome,
        "WATCHING -> TRYING",
        "WATCHING -> RESTING",
        "TRYING -> MEASURING",
        "TRYING -> RESTING",
        "MEASURING -> WATCHING",
        "MEASURING -> RESTING",
        "RESTING -> WATCHING");
  }

  @Test
  void onlyOpenStreamsTakeMessages() {
    for (OutboundStream.State state : OutboundStream.State.values()) {
      boolean open = state == OutboundStream.State.OPENING || state == OutboundStream.State.FLOWING;
      assertEquals(open, state.takesMessages(), state.name());
    }
  }
}
