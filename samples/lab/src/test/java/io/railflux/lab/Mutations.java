package io.railflux.lab;

import static io.railflux.lab.Mutation.mutation;

import java.util.List;
import java.util.stream.Stream;

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
            redials(),
            streams(),
            wakeUps(),
            exchanges(),
            rendezvous(),
            rendezvousLosses(),
            striping())
        .flatMap(List::stream);
  }

  private static List<Mutation> credit() {
    return List.of(
        mutation(
            "credit is returned twice",
            "engine/OutgoingRing",
            "consumed = position;",
            "consumed += 2 * (position - consumed);"),
        mutation(
            "credit is counted by bytes of frames, not by their slots",
            "engine/IncomingRing",
            "consumed += slotBytes;",
            "consumed += FrameHeader.lengthBytes(word);"),
        mutation(
            "credit of the lost ring is told for the new one on replay",
            "engine/SendPath",
            "memory.putLong(at, carrier.incoming.consumed());",
            ""),
        mutation(
            "more is granted than was requested",
            "engine/SourceDemand",
            "demanded = position;",
            "demanded = position + 1;"),
        mutation(
            "demand is told once and never again",
            "engine/InboundStream",
            "demandQueued = false;\n    toldUnbounded",
            "toldUnbounded"),
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
            "engine/OutgoingRing",
            "slotBytes <= contiguous ? slotBytes : slotBytes + contiguous",
            "slotBytes"),
        mutation(
            "off by one slot at the wrap of a posted ring",
            "engine/PostedRingWriter",
            "if (slotBytes > contiguous) {",
            "if (slotBytes > contiguous + 64) {"),
        mutation(
            "heads of consumed slots are not cleared",
            "engine/IncomingRing",
            "FrameHeader.clearHeads(memory, offset, slotBytes);",
            ""),
        mutation(
            "the publish word travels with the first frame instead of after it",
            "engine/PostedRingWriter",
            "ordered && !extendsBatch ? 0 : word",
            "word"),
        mutation(
            "publish words are believed where placement is not ordered",
            "engine/IncomingRing",
            "return !announced || consumed - announcedUpTo < 0;",
            "return true;"),
        mutation(
            "the log is reused before all of it is acknowledged",
            "engine/SendLog",
            "released = position;",
            "released = written;"));
  }

  private static List<Mutation> batches() {
    return List.of(
        mutation(
            "a batch is acknowledged as one message",
            "engine/SendWindow",
            "recordedItems += items;",
            "recordedItems++;"),
        mutation(
            "what a codec left behind a batch is not cleared",
            "engine/SendPath",
            "mapped.scribbled(FrameHeader.slotBytes(gathering.reached() - start));",
            ""),
        mutation(
            "what a codec left behind its message is not cleared",
            "engine/MappedRingWriter",
            "if (scribbledBytes > slotBytes) {",
            "if (false) {"),
        mutation(
            "only the first message of a batch may leave something behind",
            "engine/Gathering",
            "      reached = end;\n",
            ""),
        mutation(
            "a message joins the frame of another stream",
            "engine/Gathering",
            "if (claimant != owner\n        || ",
            "if (owner == null\n        || "),
        mutation(
            "the last of a row of messages that joined a batch is not counted",
            "engine/Gathering",
            "owner.sent(held - count, budgetBytes - budget);",
            "owner.sent(Math.max(0, held - count - 1), budgetBytes - budget);"),
        mutation(
            "an emitted message that joined a batch is not counted",
            "engine/OutboundStream",
            "    gathering.add(bodyBytes);\n    sent(1, bodyBytes + FrameHeader.SLOT_BYTES);",
            "    gathering.add(bodyBytes);\n    sent(0, bodyBytes + FrameHeader.SLOT_BYTES);"),
        mutation(
            "lines are fetched where a batch does not reach",
            "engine/Gathering",
            "ring.fetch(from, to - from);",
            "ring.fetch(from - FETCHED_BYTES, to - from);"),
        mutation(
            "a batch grows beyond the room of its ring",
            "engine/SendPath",
            "most = Math.min(most, carrier.writer().contiguousRoom(Reserve.MESSAGES.bytes));",
            ""),
        mutation(
            "a batch grows beyond the room of its log",
            "engine/SendPath",
            "most = Math.min(most, log.contiguousRoom(start, Reserve.MESSAGES.bytes));",
            ""),
        mutation(
            "what was gathered is overtaken by the next frame",
            "engine/SendPath",
            "    publishGathered();\n    if (isBeingWritten()) {\n      return null;",
            "    if (isBeingWritten()) {\n      return null;"),
        mutation(
            "numbers of a batch count from its last message",
            "engine/SendPath",
            "owner.nextSeq() - count",
            "owner.nextSeq() - 1"),
        mutation(
            "only the first message of a batch has to be requested",
            "engine/SourceDemand",
            "return Math.min(PREFETCH, open(next)) - outstanding(next);",
            "return PREFETCH - outstanding(next);"),
        mutation(
            "messages of a batch are delivered to a stream that ended",
            "engine/InboundStream",
            "    expected++;\n    if (state == InboundState.ENDED) {\n      return;\n    }\n    messages++;",
            "    expected++;\n    messages++;"));
  }

  private static List<Mutation> sealing() {
    return List.of(
        mutation(
            "a frame is believed whatever its tag",
            "engine/FrameOpener",
            "if (!key.open(number, known, sealed, bytes, plain)) {\n      return 0;\n    }",
            "key.open(number, known, sealed, bytes, plain);"),
        mutation(
            "a number seals two frames",
            "engine/FrameSealer",
            "key.seal(number++, known, plain, bytes, sealed, 0);",
            "key.seal(number, known, plain, bytes, sealed, 0);"),
        mutation(
            "credit is believed whatever its proof",
            "engine/SealedWords",
            "if (proof.matches(found[LOW], found[HIGH])) {",
            "if (true) {"),
        mutation(
            "every record of credit has the same number",
            "engine/SealedRingWriter",
            "    tellings = number;\n",
            ""),
        mutation(
            "a rail that joins begins with the keys of a new session",
            "engine/ConnectingHandshake",
            "channel == null ? authenticator.newSession() : session",
            "authenticator.newSession()"),
        mutation(
            "one side forgets that frames are sealed",
            "engine/AcceptingHandshake",
            "authenticator.sealing(key)",
            "null"));
  }

  private static List<Mutation> sequence() {
    return List.of(
        mutation(
            "sequence numbers are compared, not their distances, on arrival",
            "engine/ReceiveWindow",
            "if (distance < 0) {",
            "if (psn < expected) {"),
        mutation(
            "sequence numbers are compared, not their distances, on acknowledgement",
            "engine/VirtualChannel",
            "if (ackPsn - window.next() > 0) {",
            "if (ackPsn > window.next()) {"),
        mutation(
            "stream numbers are compared, not their distances, on demand",
            "engine/SourceDemand",
            "} else if (position - demanded > 0) {",
            "} else if (position > demanded) {"),
        mutation(
            "frames beyond a gap are acknowledged",
            "engine/VirtualChannel",
            "long expected = receivePath.window().expected();",
            "long expected = receivePath.window().expected() + receivePath.window().ahead();"),
        mutation(
            "messages of a stream are delivered as they come",
            "engine/InboundStream",
            "if (distance > 0) {",
            "if (distance > 0 && held != null) {"),
        mutation(
            "held messages are not delivered when the gap closes",
            "engine/InboundStream",
            "wrong = held.deliverTo(this, channel.nowNanos());",
            ""),
        mutation(
            "the budget of held messages is never given back",
            "engine/HeldFrames",
            "      FrameCopy copy = bySeq.pollFirstEntry().getValue();\n      budget.giveBack(copy.sizeBytes());",
            "      FrameCopy copy = bySeq.pollFirstEntry().getValue();"),
        mutation(
            "requests act before those that precede them",
            "engine/ReceivePath",
            "default -> false;",
            "default -> true;"),
        mutation(
            "the end of a stream acts before its OPEN",
            "engine/ReceivePath",
            "-> channel.streams().isReceiving(frame);",
            "-> true;"),
        mutation(
            "a stream ends when its end is told, whatever is missing",
            "engine/InboundStream",
            "if (expected == endSeq) {",
            "if (true) {"));
  }

  private static List<Mutation> recovery() {
    return List.of(
        mutation(
            "RESUME is sent, and the peer replays, before the endpoint is fenced",
            "engine/Recovery",
            "if (subchannel.state() == SubchannelState.FENCED\n          && !subchannel.resumeSent",
            "if (!subchannel.resumeSent"),
        mutation(
            "what the peer has beyond a gap is replayed as well",
            "engine/Recovery",
            "psn - resume.expectedPsn() < 0 || resume.hasReceived(psn)",
            "psn - resume.expectedPsn() < 0"),
        mutation(
            "the last frame of a lost endpoint is not replayed",
            "engine/Recovery",
            "psn != window.next(); psn++) {\n      if (window.carrier(psn) != subchannel)",
            "psn - window.next() < -1; psn++) {\n      if (window.carrier(psn) != subchannel)"),
        mutation(
            "the reported death of a peer is not believed",
            "engine/Liveness",
            "lastLost.endpoint.peerGone()",
            "false"),
        mutation(
            "whoever lost its last rail is dead",
            "engine/Liveness",
            "lastLost.endpoint.peerGone()",
            "true"),
        mutation(
            "a batch is published with its own bytes wherever they are placed",
            "engine/PostedRingWriter",
            "batchBytes <= atOnceBytes",
            "ordered"),
        mutation(
            "RESUME waits in sequence for the gap it mends",
            "engine/ReceivePath",
            "case FrameType.DATA, FrameType.BATCH, FrameType.RESUME ->",
            "case FrameType.DATA, FrameType.BATCH ->"),
        mutation(
            "a RESUME that is lost itself is not sent again",
            "engine/Recovery",
            "subchannel.resumeSent = false;",
            ""),
        mutation(
            "another frame is struck off the list than was replayed",
            "engine/Recovery",
            "      replay.poll();\n",
            "      replay.pollLast();\n"),
        mutation(
            "a lost rail is not connected again",
            "engine/Reconnect",
            "again(destination, \"lost\");",
            ""),
        mutation(
            "a completion of a large message's request that is told twice ends the next one",
            "engine/BulkLane",
            "if (requestId != (BULK_ID | lastPosted - posted.size() + 1) || posted.isEmpty()) {",
            "if (posted.isEmpty()) {"),
        mutation(
            "what a receive announces twice counts twice",
            "engine/Subchannel",
            "if (receiveId == nextReceive) {",
            "if (true) {"),
        mutation(
            "a rail that is given up keeps its connection",
            "engine/Reconnect",
            "if (last != Destination.NONE) {",
            "if (false) {"),
        mutation(
            "a restarted node takes up the session of its former life",
            "engine/Acceptor",
            "if (!first && (!expected.equals(engine.incarnation()) || known == null)) {",
            "if (false) {"),
        mutation(
            "lost endpoints are never released",
            "engine/VirtualChannel",
            "engine.release(subchannel);",
            ""));
  }

  private static List<Mutation> redials() {
    return List.of(
        mutation(
            "what the peer redials takes the place of what is there",
            "engine/Reconnect",
            "!channel.recovery().isFull() && to.yields()",
            "!channel.recovery().isFull()"),
        mutation(
            "a try in whose place another one came still counts",
            "engine/Reconnect",
            "return number != to.tries();",
            "return false;"),
        mutation(
            "what the peer redials is made beside the connection this side makes",
            "engine/Destination",
            "state == DestinationState.TRYING && !shown",
            "state == DestinationState.TRYING"));
  }

  private static List<Mutation> streams() {
    return List.of(
        mutation(
            "the end of a stream is not told: forgotten half-close",
            "engine/OutboundStream",
            "sendEnd(new ControlFrame(FrameType.COMPLETE, frameFlags, id, next));",
            ""),
        mutation(
            "a cancellation is not told", "engine/InboundStream", "if (known) {", "if (false) {"),
        mutation(
            "the frame of the end counts as a message",
            "engine/Deliveries",
            "endFrameSent ? Math.min(ringFrames, others) : ringFrames",
            "ringFrames"),
        mutation(
            "a stream that used up its turn is forgotten",
            "engine/OutboundStream",
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
            "engine/Subchannel",
            "endpoint.notifyPeer();",
            ""),
        mutation(
            "lost wake-up: returned credit is not notified",
            "engine/Subchannel",
            "} else if (!told) {",
            "} else {"),
        mutation(
            "lost wake-up: a task of another thread is only queued",
            "engine/Engine",
            "tasks.offer(task);\n    host.wakeUp();",
            "tasks.offer(task);"),
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
            "engine/SendPath",
            "last ? FrameFlags.LAST : 0",
            "0"),
        mutation(
            "a reply that leaves at once does not say that it is the last",
            "engine/Exchanges",
            "FrameType.DATA, FrameFlags.LAST, id, 0",
            "FrameType.DATA, 0, id, 0"),
        mutation(
            "a reply leaves at once although nobody asked for it yet",
            "engine/ServedExchange",
            "&& (unbounded || demand > 0)",
            ""),
        mutation(
            "places of answered requests are never given back",
            "engine/Exchanges",
            "replies.remove(stream.id());",
            ""),
        mutation(
            "a request is forgotten when there is no room for it",
            "engine/Exchanges",
            "queue.add(new Pending<>(route, value, outgoing, stream, byRendezvous));",
            ""));
  }

  private static List<Mutation> rendezvous() {
    return List.of(
        mutation(
            "a large message is announced before all of it is written",
            "engine/GrantedWrite",
            "if (left == 0) {",
            "if (left <= 1000) {"),
        mutation(
            "a large message is taken for complete when some of it is there",
            "engine/RendezvousReceive",
            "landedBytes == lengthBytes",
            "landedBytes > 0"),
        mutation("read tokens are not given back", "engine/BulkLane", "readTokens++;", ""),
        mutation(
            "slices of the landing window are not given back",
            "engine/PortionGrants",
            "carrier.lane().window().give(grant.slice);",
            ""),
        mutation(
            "a message takes a place in which the peer still looks at another one",
            "engine/SourceWindow",
            "places.get(next).offset - offset < aligned",
            "false"),
        mutation(
            "a message is acknowledged while it is looked at, and again afterwards",
            "engine/RendezvousReceives",
            "if (!receive.isInPlace()) {",
            "{"),
        mutation(
            "slices of the landing window are used again before they were read",
            "engine/LandingWindow",
            "free &= ~(1 << slice);",
            ""),
        mutation(
            "who waits for memory is not told that there is some",
            "engine/LargeMemory",
            "first.roomAgain();",
            ""),
        mutation(
            "nobody answers a large message that nobody wants",
            "engine/Streams",
            "channel.rendezvous().receives().refuse(start);",
            ""),
        mutation(
            "demand for the replies of a large request is lost while that is on its way",
            "engine/LargeRequests",
            "awaited.demand = position;",
            ""));
  }

  private static List<Mutation> rendezvousLosses() {
    return List.of(
        mutation(
            "what a lost endpoint did not bring of a large message is not asked for again",
            "engine/PortionGrants",
            "missing(grant.offset, grant.lengthBytes);",
            ""),
        mutation(
            "what was posted counts as read when an endpoint is lost",
            "engine/RendezvousReceive",
            "grants.missing(readDone, lengthBytes - readDone);",
            "grants.missing(readPosted, lengthBytes - readPosted);"),
        mutation(
            "grants that were revoked are forgotten",
            "engine/PortionGrants",
            "revoked.add(number);",
            ""),
        mutation(
            "memory of a cancelled large message is given back while the peer still writes",
            "engine/RendezvousReceive",
            "&& reads == 0 && !grants.areOut()",
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
            "engine/PortionGrants",
            "missing(run.offset, run.left);",
            ""),
        mutation(
            "the part of a stripe that was granted is granted again",
            "engine/PortionGrants",
            "run.offset += portionBytes;",
            ""),
        mutation(
            "frames stay in shared memory beside a rail that cannot post them from there",
            "engine/SubchannelSetup",
            "!mapped && !channel.sendPath().leaveRings()",
            "false"),
        mutation(
            "a copy into shared memory is never settled",
            "engine/BulkLane",
            "settle(posted.poll());",
            "posted.poll();"));
  }
}
