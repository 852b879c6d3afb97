package io.railflux.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every transition there is; whatever is not listed is forbidden. The simulation takes them: TransitionsTest of samples/lab. */
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
        OutboundState.values(),
        OutboundState::canBecome,
        "OPENING -> FLOWING",
        "OPENING -> COMPLETING",
        "OPENING -> FAILING",
        "OPENING -> ENDED",
        "FLOWING -> COMPLETING",
        "FLOWING -> FAILING",
        "FLOWING -> ENDED",
        "COMPLETING -> ENDED",
        "FAILING -> ENDED");
  }

  @Test
  @Tag("FT4")
  void redial() {
    allows(
        RedialState.values(),
        RedialState::canBecome,
        "WAITING -> DIALING",
        "WAITING -> OVER",
        "DIALING -> WAITING",
        "DIALING -> OVER");
  }

  @Test
  void inboundStream() {
    allows(
        InboundState.values(),
        InboundState::canBecome,
        "AWAITING_PRODUCER -> FLOWING",
        "AWAITING_PRODUCER -> ENDED",
        "FLOWING -> DRAINING",
        "FLOWING -> ENDED",
        "DRAINING -> ENDED");
  }

  @Test
  void rendezvousSend() {
    allows(
        RendezvousSendState.values(),
        RendezvousSendState::canBecome,
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
        RendezvousReceiveState.values(),
        RendezvousReceiveState::canBecome,
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
        SubchannelState.values(),
        SubchannelState::canBecome,
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
        HandshakeState.values(),
        HandshakeState::canBecome,
        "AWAITING_HELLO -> AWAITING_PROOF",
        "AWAITING_HELLO -> AWAITING_JOINED",
        "AWAITING_HELLO -> OVER",
        "AWAITING_PROOF -> OVER",
        "AWAITING_JOINED -> OVER");
  }

  @Test
  void channel() {
    allows(
        ChannelState.values(),
        ChannelState::canBecome,
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
        PathState.values(),
        PathState::canBecome,
        "AVAILABLE -> RECOVERING",
        "RECOVERING -> UNAVAILABLE",
        "RECOVERING -> AVAILABLE",
        "UNAVAILABLE -> AVAILABLE");
  }

  @Test
  void destination() {
    allows(
        DestinationState.values(),
        DestinationState::canBecome,
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
        PathProbeState.values(),
        PathProbeState::canBecome,
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
    for (OutboundState state : OutboundState.values()) {
      boolean open = state == OutboundState.OPENING || state == OutboundState.FLOWING;
      assertEquals(open, state.takesMessages(), state.name());
    }
  }
}
