package io.railflux.lab;

import static io.railflux.lab.Mutation.mutation;

import java.util.List;
import java.util.stream.Stream;

// More than 400 lines: a list: one entry for each mutation.
/**
 * Bugs of the kinds a transport like this can have; the simulation must find each. Those that show by a
 * rare coincidence only are not here but in a test of their own, which builds that coincidence.
 */
final class Mutations {

  private Mutations() {}

  static Stream<Mutation> all() {
    return Stream.of(
            credit(),
            ring(),
            batches(),
            sealing(),
            sequence(),
            recovery(),
            silence(),
            redials(),
            memory(),
            streams(),
            wakeUps(),
            exchanges(),
            LargeMessageMutations.transfer(),
            LargeMessageMutations.losses(),
            ChannelMutations.all(),
            striping())
        .flatMap(List::stream);
  }

  private static List<Mutation> memory() {
    return List.of(
        mutation(
            "memory of a lost subchannel is not kept for the next one",
            "engine/path/SubchannelMemory",
            "spares.add(memory);",
            ""),
        mutation(
            "memory of a lost subchannel is used again as it is",
            "engine/path/SubchannelMemory",
            "spare.clear();",
            ""),
        mutation(
            "memory of a subchannel is given to the next one before it is drained",
            "engine/session/RailRecovery",
            "subchannel.endpoint.fence(subchannel.failure());",
            "subchannel.endpoint.fence(subchannel.failure()); subchannel.giveMemoryBack();"),
        mutation(
            "a handshake that found no memory is not answered",
            "engine/base/SessionMemory",
            "request.answer(null);",
            ""),
        mutation(
            "who is refused for want of memory does not hear why",
            "engine/connect/AcceptingHandshake",
            "sendReject(new Refusals.Refused(HelloReject.EXHAUSTED, reason).reject());",
            ""));
  }

  private static List<Mutation> credit() {
    return List.of(
        mutation(
            "credit is returned twice",
            "engine/ring/OutgoingRing",
            "consumed = position;",
            "consumed += 2 * (position - consumed);"),
        mutation(
            "credit is counted by bytes of frames, not by their slots",
            "engine/ring/IncomingRing",
            "consumed += slotBytes;",
            "consumed += FrameHeader.lengthBytes(word);"),
        mutation(
            "a replay reports the credit of the lost ring for the new one",
            "engine/send/SendPath",
            "memory.putLong(at, carrier.incoming.consumed());",
            ""),
        mutation(
            "more is granted than was requested",
            "engine/stream/SourceDemand",
            "demanded = position;",
            "demanded = position + 1;"),
        mutation(
            "demand is sent once and never again",
            "engine/stream/InboundStream",
            "demandQueued = false;\n    sentUnbounded",
            "sentUnbounded"),
        mutation(
            "a stage asks for its whole prefetch whatever was requested",
            "pipeline/OnEngine",
            "Math.min(requested, prefetch)",
            "prefetch"));
  }

  private static List<Mutation> ring() {
    return List.of(
        mutation(
            "room for the padding at the wrap is forgotten",
            "engine/ring/OutgoingRing",
            "slotBytes <= contiguous ? slotBytes : slotBytes + contiguous",
            "slotBytes"),
        mutation(
            "off by one slot at the wrap of a posted ring",
            "engine/ring/PostedRingWriter",
            "if (slotBytes > contiguous) {",
            "if (slotBytes > contiguous + 64) {"),
        mutation(
            "heads of consumed slots are not cleared",
            "engine/ring/IncomingRing",
            "FrameHeader.clearHeads(memory, offset, slotBytes);",
            ""),
        mutation(
            "the publish word travels with the first frame instead of after it",
            "engine/ring/PostedRingWriter",
            "ordered && !extendsBatch ? 0 : word",
            "word"),
        mutation(
            "publish words are believed where placement is not ordered",
            "engine/ring/IncomingRing",
            "return !announced || consumed - announcedUpTo < 0;",
            "return true;"),
        mutation(
            "the log is reused before all of it is acknowledged",
            "engine/ring/SendLog",
            "released = position;",
            "released = written;"));
  }

  private static List<Mutation> batches() {
    return List.of(
        mutation(
            "a batch is acknowledged as one message",
            "engine/send/SendWindow",
            "recordedItems += items;",
            "recordedItems++;"),
        mutation(
            "what a codec left behind a batch is not cleared",
            "engine/send/SendPath",
            "mapped.scribbled(FrameHeader.slotBytes(gathering.reached() - start));",
            ""),
        mutation(
            "what a codec left behind its message is not cleared",
            "engine/ring/MappedRingWriter",
            "if (scribbledBytes > slotBytes) {",
            "if (false) {"),
        mutation(
            "only the first message of a batch may leave something behind",
            "engine/send/BatchBuilder",
            "      reached = end;\n",
            ""),
        mutation(
            "a message joins the frame of another stream",
            "engine/send/BatchBuilder",
            "if (claimant != owner\n        || ",
            "if (owner == null\n        || "),
        mutation(
            "the last of a row of messages that joined a batch is not counted",
            "engine/send/BatchBuilder",
            "owner.sent(held - count, budgetBytes - budget);",
            "owner.sent(Math.max(0, held - count - 1), budgetBytes - budget);"),
        mutation(
            "an emitted message that joined a batch is not counted",
            "engine/stream/OutboundStream",
            "    gathering.add(bodyBytes);\n    sent(1, bodyBytes + FrameHeader.SLOT_BYTES);",
            "    gathering.add(bodyBytes);\n    sent(0, bodyBytes + FrameHeader.SLOT_BYTES);"),
        mutation(
            "lines are fetched where a batch does not reach",
            "engine/send/BatchBuilder",
            "ring.fetch(from, to - from);",
            "ring.fetch(from - FETCHED_BYTES, to - from);"),
        mutation(
            "a batch grows beyond the room of its ring",
            "engine/send/SendPath",
            "most = Math.min(most, carrier.writer().contiguousRoom(Reserve.MESSAGES.bytes));",
            ""),
        mutation(
            "a batch grows beyond the room of its log",
            "engine/send/SendPath",
            "most = Math.min(most, log.contiguousRoom(start, Reserve.MESSAGES.bytes));",
            ""),
        mutation(
            "what was gathered is overtaken by the next frame",
            "engine/send/SendPath",
            "    publishGathered();\n    if (slot.encoding) {",
            "    if (slot.encoding) {"),
        mutation(
            "numbers of a batch count from its last message",
            "engine/send/SendPath",
            "owner.nextSeq() - count",
            "owner.nextSeq() - 1"),
        mutation(
            "only the first message of a batch has to be requested",
            "engine/stream/SourceDemand",
            "return Math.min(PREFETCH, open(next)) - outstanding(next);",
            "return PREFETCH - outstanding(next);"),
        mutation(
            "messages of a batch are delivered to a stream that ended",
            "engine/stream/InboundStream",
            "    expected++;\n    if (state == State.ENDED) {\n      return;\n    }\n    messages++;",
            "    expected++;\n    messages++;"));
  }

  private static List<Mutation> sealing() {
    return List.of(
        mutation(
            "a frame is believed whatever its tag",
            "engine/seal/SealedFrames",
            "if (!key.open(number, known, sealed, bytes, plain)) {\n        return 0;\n      }",
            "key.open(number, known, sealed, bytes, plain);"),
        mutation(
            "a number seals two frames",
            "engine/seal/SealedFrames",
            "key.seal(number++, known, plain, bytes, sealed, 0);",
            "key.seal(number, known, plain, bytes, sealed, 0);"),
        mutation(
            "credit is believed whatever its proof",
            "engine/seal/SealedWords",
            "if (proof.matches(found[LOW], found[HIGH])) {",
            "if (true) {"),
        mutation(
            "every record of credit has the same number",
            "engine/ring/SealedRingWriter",
            "    tellings = number;\n",
            ""),
        mutation(
            "a rail that joins begins with the keys of a new session",
            "engine/connect/ConnectingHandshake",
            "channel == null ? authenticator.newSession() : session",
            "authenticator.newSession()"),
        mutation(
            "one side forgets that frames are sealed",
            "engine/connect/AcceptingHandshake",
            "authenticator.sealing(key)",
            "null"));
  }

  private static List<Mutation> sequence() {
    return List.of(
        mutation(
            "sequence numbers are compared, not their distances, on arrival",
            "engine/send/ReceiveWindow",
            "if (distance < 0) {",
            "if (psn < expected) {"),
        mutation(
            "sequence numbers are compared, not their distances, on acknowledgement",
            "engine/session/ReceivePath",
            "if (ackPsn - sent.next() > 0) {",
            "if (ackPsn > sent.next()) {"),
        mutation(
            "stream numbers are compared, not their distances, on demand",
            "engine/stream/SourceDemand",
            "} else if (position - demanded > 0) {",
            "} else if (position > demanded) {"),
        mutation(
            "frames beyond a gap are acknowledged",
            "engine/session/VirtualChannel",
            "long expected = received.expected();",
            "long expected = received.expected() + received.ahead();"),
        mutation(
            "messages of a stream are delivered as they come",
            "engine/stream/InboundStream",
            "if (seq != expected) {",
            "if (seq != expected && held != null) {"),
        mutation(
            "held messages are not delivered when the gap closes",
            "engine/stream/InboundStream",
            "held.deliverTo(this, engine.nowNanos());",
            ""),
        mutation(
            "the budget of held messages is never given back",
            "engine/send/HeldFrames",
            "      Copy copy = bySeq.pollFirstEntry().getValue();\n      budget.giveBack(copy.sizeBytes());",
            "      Copy copy = bySeq.pollFirstEntry().getValue();"),
        mutation(
            "requests act before those that precede them",
            "engine/session/ReceivePath",
            "default -> false;",
            "default -> true;"),
        mutation(
            "the end of a stream acts before its OPEN",
            "engine/session/ReceivePath",
            "-> streams.isReceiving(frame);",
            "-> true;"),
        mutation(
            "a stream ends with its end frame, whatever is missing",
            "engine/stream/InboundStream",
            "if (expected == endSeq) {",
            "if (true) {"));
  }

  private static List<Mutation> recovery() {
    return List.of(
        mutation(
            "RESUME is sent, and the peer replays, before the endpoint is fenced",
            "engine/session/RailRecovery",
            "if (lost.subchannel.state() == Subchannel.State.FENCED\n          && !lost.resumeSent",
            "if (!lost.resumeSent"),
        mutation(
            "what the peer has beyond a gap is replayed as well",
            "engine/session/RailRecovery",
            "psn - resume.expectedPsn() < 0 || resume.hasReceived(psn)",
            "psn - resume.expectedPsn() < 0"),
        mutation(
            "the last frame of a lost endpoint is not replayed",
            "engine/session/RailRecovery",
            "psn != window.next(); psn++) {\n      if (window.carrier(psn) != subchannel)",
            "psn - window.next() < -1; psn++) {\n      if (window.carrier(psn) != subchannel)"),
        mutation(
            "the reported death of a peer is not believed",
            "engine/session/Liveness",
            "lastLost.endpoint.peerGone()",
            "false"),
        mutation(
            "whoever lost its last rail is dead",
            "engine/session/Liveness",
            "lastLost.endpoint.peerGone()",
            "true"),
        mutation(
            "a batch is published with its own bytes wherever they are placed",
            "engine/ring/PostedRingWriter",
            "batchBytes <= atOnceBytes",
            "ordered"),
        mutation(
            "RESUME waits in sequence for the gap it mends",
            "engine/session/ReceivePath",
            "case FrameType.DATA, FrameType.BATCH, FrameType.RESUME ->",
            "case FrameType.DATA, FrameType.BATCH ->"),
        mutation(
            "a RESUME that is lost itself is not sent again",
            "engine/session/RailRecovery",
            "lost.resumeSent = false;",
            ""),
        mutation(
            "another frame is struck off the list than was replayed",
            "engine/session/RailRecovery",
            "      replay.poll();\n",
            "      replay.pollLast();\n"),
        mutation(
            "a lost rail is not connected again",
            "engine/connect/Reconnect",
            "again(destination, \"lost\");",
            ""),
        mutation(
            "a repeated completion of a large message's request ends the next one",
            "engine/path/BulkLane",
            "if (requestId != (BULK_ID | lastPosted - posted.size() + 1) || posted.isEmpty()) {",
            "if (posted.isEmpty()) {"),
        mutation(
            "what a receive announces twice counts twice",
            "engine/path/Subchannel",
            "if (receiveId == nextReceive) {",
            "if (true) {"),
        mutation(
            "a rail that is given up keeps its connection",
            "engine/connect/Reconnect",
            "if (last != Destination.NONE) {",
            "if (false) {"),
        mutation(
            "a restarted node takes up the session of its former life",
            "engine/connect/Acceptor",
            "if (!first && (!expected.equals(connections.incarnation()) || known == null)) {",
            "if (false) {"),
        mutation(
            "lost endpoints are never released",
            "engine/session/VirtualChannel",
            "engine.release(subchannel);",
            ""));
  }

  private static List<Mutation> silence() {
    return List.of(mutation(
        "the silence of a peer begins before its last rail is lost",
        "engine/session/Liveness",
        "if (subchannel != suspect) {",
        "if (false) {"));
  }

  private static List<Mutation> redials() {
    return List.of(
        mutation(
            "what the peer redials takes the place of what is there",
            "engine/connect/Reconnect",
            "!channel.isFull() && to.yields()",
            "!channel.isFull()"),
        mutation(
            "a try in whose place another one came still counts",
            "engine/connect/Reconnect",
            "return number != to.tries();",
            "return false;"),
        mutation(
            "what the peer redials is made beside the connection this side makes",
            "engine/connect/Destination",
            "state == State.TRYING && !shown",
            "state == State.TRYING"));
  }

  private static List<Mutation> streams() {
    return List.of(
        mutation(
            "the end of a stream is not sent: forgotten half-close",
            "engine/stream/OutboundStream",
            "sendEnd(new ControlFrame(FrameType.COMPLETE, frameFlags, id, next));",
            ""),
        mutation(
            "a cancellation is not sent",
            "engine/stream/InboundStream",
            "&& known) {",
            "&& false) {"),
        mutation(
            "what fails inside a subscribe is signalled there",
            "engine/stream/InboundStream",
            "    if (subscribing) {\n      failLater(error);\n    } else if",
            "    if"),
        mutation(
            "a request that cannot be encoded fails inside its subscribe",
            "engine/stream/Exchanges",
            "stream.failLater(e);",
            "stream.subscriptionBegun();\n      stream.fail(e);"),
        mutation(
            "the frame of the end counts as a message",
            "engine/stream/Deliveries",
            "endFrameSent ? Math.min(ringFrames, others) : ringFrames",
            "ringFrames"),
        mutation(
            "a positioned source begins at its beginning",
            "engine/stream/OutboundStream",
            "starter.accept(sourcePosition);",
            "starter.accept(0);"),
        mutation(
            "the position of a subscriber is not sent",
            "engine/stream/InboundStream",
            "if (position != 0) {",
            "if (false) {"),
        mutation(
            "a stream that used up its turn is forgotten",
            "engine/stream/OutboundStream",
            "if (blocked != null || (deficitBytes <= 0 && wanted() > 0)) {",
            "if (blocked != null) {"),
        mutation(
            "values overtake those that wait for room",
            "pipeline/Encode",
            "} else if (backlog) {",
            "} else if (false) {"),
        mutation(
            "a source's error overtakes its last values",
            "pipeline/OnEngine",
            "boolean ended = done;",
            "boolean ended = done;\n        if (error != null) {\n          terminate();\n          return;\n        }"));
  }

  private static List<Mutation> wakeUps() {
    return List.of(
        mutation(
            "lost wake-up: the peer is not notified",
            "engine/path/Subchannel",
            "endpoint.notifyPeer();",
            ""),
        mutation(
            "lost wake-up: returned credit is not notified",
            "engine/path/Subchannel",
            "} else if (!reported) {",
            "} else {"),
        mutation(
            "lost wake-up: a task of another thread is only queued",
            "engine/Engine",
            "tasks.add(task);\n    host.wakeUp();",
            "tasks.add(task);"),
        mutation(
            "lost wake-up: the second signal of another thread is not scheduled",
            "pipeline/OnEngine",
            "scheduled = 0;",
            ""));
  }

  private static List<Mutation> exchanges() {
    return List.of(
        mutation(
            "the only reply does not say that it is the last",
            "engine/send/SendPath",
            "last ? FrameFlags.LAST : 0",
            "0"),
        mutation(
            "a reply that leaves at once does not say that it is the last",
            "engine/stream/Exchanges",
            "FrameType.DATA, FrameFlags.LAST, id, 0",
            "FrameType.DATA, 0, id, 0"),
        mutation(
            "a reply leaves at once although nobody asked for it yet",
            "engine/stream/Responder",
            "&& (unbounded || demand > 0)",
            ""),
        mutation(
            "places of answered requests are never given back",
            "engine/stream/Exchanges",
            "replies.remove(stream.id());",
            ""),
        mutation(
            "a request is forgotten when there is no room for it",
            "engine/stream/Exchanges",
            "queue.add(new Pending<>(value, outgoing, stream, byRendezvous));",
            ""));
  }

  private static List<Mutation> striping() {
    return List.of(
        mutation(
            "weight is not conserved when it moves",
            "policy/Weights",
            "(1 - alpha) * weights[i]",
            "weights[i]"),
        mutation(
            "a path that is new takes weight that no other one gives",
            "policy/Weights",
            "newWeights[i] * scale",
            "newWeights[i]"),
        mutation(
            "weight follows samples that were seen late",
            "policy/Weights",
            "path >= 0 && !movement.isLate(i)",
            "path >= 0"),
        mutation(
            "what remains of a message that is cut belongs to no stripe",
            "policy/Shares",
            "pieces[heaviest] += left;",
            ""),
        mutation(
            "stripes of a lost rail that were not granted are forgotten",
            "engine/rendezvous/PortionGrants",
            "missing(run.offset, run.left);",
            ""),
        mutation(
            "the part of a stripe that was granted is granted again",
            "engine/rendezvous/PortionGrants",
            "run.offset += portionBytes;",
            ""),
        mutation(
            "frames stay in shared memory beside a rail that cannot post them from there",
            "engine/session/VirtualChannel",
            "!mapped && !sendPath.leaveRings()",
            "false"),
        mutation(
            "a copy into shared memory is never settled",
            "engine/path/BulkLane",
            "settle(posted.poll());",
            "posted.poll();"));
  }
}
