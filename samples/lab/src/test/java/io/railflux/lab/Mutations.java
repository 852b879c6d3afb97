package io.railflux.lab;

import static io.railflux.lab.Mutation.of;

import java.util.List;
import java.util.stream.Stream;

/** Bugs of the kinds a transport like this can have; the simulation must find each. */
final class Mutations {

  private Mutations() {}

  static Stream<Mutation> all() {
    return Stream.of(credit(), ring(), sequence(), recovery(), streams(), wakeUps(), exchanges())
        .flatMap(List::stream);
  }

  private static List<Mutation> credit() {
    return List.of(
        of(
            "credit is returned twice",
            "engine/OutgoingRing",
            "consumed = position;",
            "consumed += 2 * (position - consumed);"),
        of(
            "credit is counted by bytes of frames, not by their slots",
            "engine/IncomingRing",
            "consumed += slotBytes;",
            "consumed += length;"),
        of(
            "credit of the lost ring is told for the new one on replay",
            "engine/SendPath",
            "memory.putLong(at, carrier.incoming.consumed());",
            ""),
        of(
            "more is granted than was requested",
            "engine/OutboundStream",
            "demanded = position;",
            "demanded = position + 1;"),
        of(
            "demand is told once and never again",
            "engine/InboundStream",
            "demandQueued = false;\n    toldUnbounded",
            "toldUnbounded"),
        of(
            "a stage asks for its whole prefetch whatever was requested",
            "pipeline/OnEngine",
            "Math.min(requested, prefetch)",
            "prefetch"));
  }

  private static List<Mutation> ring() {
    return List.of(
        of(
            "room for the padding at the wrap is forgotten",
            "engine/OutgoingRing",
            "slotBytes <= contiguous ? slotBytes : slotBytes + contiguous",
            "slotBytes"),
        of(
            "off by one slot at the wrap of a posted ring",
            "engine/PostedRingWriter",
            "if (slotBytes > contiguous) {",
            "if (slotBytes > contiguous + 64) {"),
        of(
            "heads of consumed slots are not cleared",
            "engine/IncomingRing",
            "FrameHeader.clearHeads(memory, offset, slotBytes);",
            ""),
        of(
            "the publish word travels with the first frame instead of after it",
            "engine/PostedRingWriter",
            "ordered && !extendsBatch ? 0 : word",
            "word"),
        of(
            "publish words are believed where placement is not ordered",
            "engine/IncomingRing",
            "if (announced && consumed - announcedUpTo >= 0) {",
            "if (false) {"),
        of(
            "the log is reused before all of it is acknowledged",
            "engine/SendLog",
            "released = position;",
            "released = written;"));
  }

  private static List<Mutation> sequence() {
    return List.of(
        of(
            "sequence numbers are compared, not their distances, on arrival",
            "engine/ReceiveWindow",
            "if (distance < 0) {",
            "if (psn < expected) {"),
        of(
            "sequence numbers are compared, not their distances, on acknowledgement",
            "engine/VirtualChannel",
            "if (ackPsn - window.next() > 0) {",
            "if (ackPsn > window.next()) {"),
        of(
            "stream numbers are compared, not their distances, on demand",
            "engine/OutboundStream",
            "} else if (position - demanded > 0) {",
            "} else if (position > demanded) {"),
        of(
            "frames beyond a gap are acknowledged",
            "engine/VirtualChannel",
            "long expected = receivePath.window().expected();",
            "long expected = receivePath.window().expected() + receivePath.window().ahead();"),
        of(
            "messages of a stream are delivered as they come",
            "engine/InboundStream",
            "if (distance > 0) {",
            "if (distance > 0 && held != null) {"),
        of(
            "held messages are not delivered when the gap closes",
            "engine/InboundStream",
            "return held == null ? null : held.deliverTo(this, channel.nowNanos());",
            "return null;"),
        of(
            "the budget of held messages is never given back",
            "engine/HeldFrames",
            "      FrameCopy copy = bySeq.pollFirstEntry().getValue();\n      budget.giveBack(copy.sizeBytes());",
            "      FrameCopy copy = bySeq.pollFirstEntry().getValue();"),
        of(
            "requests act before those that precede them",
            "engine/ReceivePath",
            "frame.type() == FrameType.DATA || frame.type() == FrameType.RESUME\n            ?",
            "true\n            ?"));
  }

  private static List<Mutation> recovery() {
    return List.of(
        of(
            "RESUME is sent, and the peer replays, before the endpoint is fenced",
            "engine/Recovery",
            "if (subchannel.state() == SubchannelState.FENCED\n          && !subchannel.resumeSent",
            "if (!subchannel.resumeSent"),
        of(
            "what the peer has beyond a gap is replayed as well",
            "engine/Recovery",
            "psn - resume.expectedPsn() < 0 || resume.hasReceived(psn)",
            "psn - resume.expectedPsn() < 0"),
        of(
            "the last frame of a lost endpoint is not replayed",
            "engine/Recovery",
            "psn != window.next(); psn++) {\n      if (window.carrier(psn) != subchannel)",
            "psn - window.next() < -1; psn++) {\n      if (window.carrier(psn) != subchannel)"),
        of(
            "RESUME waits in sequence for the gap it mends",
            "engine/ReceivePath",
            "frame.type() == FrameType.DATA || frame.type() == FrameType.RESUME",
            "frame.type() == FrameType.DATA"),
        of(
            "a RESUME that is lost itself is not sent again",
            "engine/Recovery",
            "subchannel.resumeSent = false;",
            ""),
        of(
            "another frame is struck off the list than was replayed",
            "engine/Recovery",
            "      replay.poll();\n",
            "      replay.pollLast();\n"),
        of(
            "a lost rail is not connected again",
            "engine/Reconnect",
            "if (carriers[target] == subchannel.id) {\n        again(target);",
            "if (carriers[target] == subchannel.id) {"),
        of(
            "a restarted node takes up the session of its former life",
            "engine/Acceptor",
            "if (!first && (!expected.equals(engine.incarnation()) || known == null)) {",
            "if (false) {"),
        of(
            "lost endpoints are never released",
            "engine/VirtualChannel",
            "engine.release(subchannel);",
            ""));
  }

  private static List<Mutation> streams() {
    return List.of(
        of(
            "the end of a stream is not told: forgotten half-close",
            "engine/OutboundStream",
            "sendEnd(FrameType.COMPLETE, null);",
            ""),
        of("a cancellation is not told", "engine/InboundStream", "if (known) {", "if (false) {"),
        of(
            "the frame of the end counts as a message",
            "engine/OutboundStream",
            "ended && endFrameSent ? frames - 1 : frames",
            "frames"),
        of(
            "a stream that used up its turn is forgotten",
            "engine/OutboundStream",
            "if (blocked != null || (deficitBytes <= 0 && wanted() > 0)) {",
            "if (blocked != null) {"),
        of(
            "values overtake those that wait for room",
            "pipeline/Encode",
            "} else if (waiting.isEmpty()) {",
            "} else if (true) {"),
        of(
            "a source's error overtakes its last values",
            "pipeline/OnEngine",
            "if (ended && queue.isEmpty()) {",
            "if (ended) {"));
  }

  private static List<Mutation> wakeUps() {
    return List.of(
        of(
            "lost wake-up: the peer is not notified",
            "engine/Subchannel",
            "endpoint.notifyPeer();",
            ""),
        of(
            "lost wake-up: returned credit is not notified",
            "engine/Subchannel",
            "told(ackPsn);\n      signalDue = true;",
            "told(ackPsn);"),
        of(
            "lost wake-up: a task of another thread is only queued",
            "engine/Engine",
            "tasks.offer(task);\n    host.wakeUp();",
            "tasks.offer(task);"),
        of(
            "lost wake-up: the second signal of another thread is not scheduled",
            "pipeline/OnEngine",
            "scheduled = 0;",
            ""));
  }

  private static List<Mutation> exchanges() {
    return List.of(
        of(
            "the only reply does not say that it is the last",
            "engine/OutboundStream",
            "last ? FrameFlags.LAST : 0",
            "0"),
        of(
            "places of answered requests are never given back",
            "engine/Exchanges",
            "replies.remove(stream.id());",
            ""),
        of(
            "a request is forgotten when there is no room for it",
            "engine/Exchanges",
            "pending.add(request);",
            ""));
  }
}
