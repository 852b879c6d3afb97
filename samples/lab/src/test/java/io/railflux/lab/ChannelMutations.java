package io.railflux.lab;

import static io.railflux.lab.Mutation.mutation;

import java.util.List;

/** Bugs of message channels that replace each other (CH3). */
final class ChannelMutations {

  private ChannelMutations() {}

  static List<Mutation> all() {
    return List.of(
        mutation(
            "the reader continues at the place of the former ring",
            "engine/ring/IncomingRing",
            "base = consumed;",
            ""),
        mutation(
            "the writer continues at the place of the former ring",
            "engine/ring/OutgoingRing",
            "base = written;",
            ""),
        mutation(
            "credit is counted from the begin of each ring",
            "engine/ring/IncomingRing",
            "size = newSize;",
            "size = newSize; consumed = 0;"),
        mutation(
            "the last frame of a ring is not written",
            "engine/path/PeerRing",
            "writer.publishLinkFrame(FrameType.RING_SWITCH);",
            ""),
        mutation(
            "the offered ring is read before the present one ended",
            "engine/session/MessageChannels",
            "RingOffer offer = subchannel.granted.offer(region, target);",
            "RingOffer offer = subchannel.granted.offer(region, target);"
                + " subchannel.granted.follow();"),
        mutation(
            "the new ring is revoked in place of the former one",
            "engine/path/GrantedRing",
            "region.close();\n    region = next;",
            "next.close();\n    region = next;"),
        mutation(
            "former rings are detached while their frames may be sent again",
            "engine/path/PeerRing",
            "writer.hasCompleted(left.lastRequest) && !left.isIn(unacknowledged)",
            "true"),
        mutation(
            "an offer that overtakes the handshake of its subchannel is dropped",
            "engine/session/MessageChannels",
            "early.put(offer.subchannel(), offer);",
            ""),
        mutation(
            "gathered messages are published after the end of their ring",
            "engine/session/MessageChannels",
            "sendPath.lookForRoom();\n      ChannelKind before",
            "ChannelKind before"),
        mutation(
            "a frame that fits no ring waits without asking for a larger one",
            "engine/session/VirtualChannel",
            "answers += messageChannels.ask() ? 1 : 0;",
            ""),
        mutation(
            "a ring that joined later keeps its kind",
            "engine/session/MessageChannels",
            "pending = changeable;",
            ""),
        mutation(
            "frames are posted from the former log",
            "engine/session/MessageChannels",
            "live.get(i).postFrom(log);",
            ""),
        mutation(
            "the log keeps its size while the ring grows",
            "engine/session/MessageChannels",
            "fitLog();\n    return steps;",
            "return steps;"));
  }
}
