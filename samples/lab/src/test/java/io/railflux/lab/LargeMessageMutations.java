package io.railflux.lab;

import static io.railflux.lab.Mutation.mutation;

import java.util.List;

/** {@link Mutations} of large messages, whose bytes bypass the rings. */
final class LargeMessageMutations {

  private LargeMessageMutations() {}

  static List<Mutation> transfer() {
    return List.of(
        mutation(
            "a large message is announced before all of it is written",
            "engine/rendezvous/GrantedWrite",
            "if (left == 0) {",
            "if (left <= 1000) {"),
        mutation(
            "a large message is taken for complete when some of it is there",
            "engine/rendezvous/RendezvousReceive",
            "landedBytes == lengthBytes",
            "landedBytes > 0"),
        mutation("read tokens are not given back", "engine/path/BulkLane", "readTokens++;", ""),
        mutation(
            "slices of the landing window are not given back",
            "engine/rendezvous/PortionGrants",
            "carrier.lane().window().give(grant.slice);",
            ""),
        mutation(
            "a message takes a place in which the peer still looks at another one",
            "engine/path/ExposedWindow",
            "places.get(next).offset - offset < aligned",
            "false"),
        mutation(
            "a message is acknowledged while it is looked at, and again afterwards",
            "engine/rendezvous/RendezvousReceives",
            "if (!receive.isInPlace()) {",
            "{"),
        mutation(
            "slices of the landing window are used again before they were read",
            "engine/path/ExposedWindow",
            "free &= ~(1 << slice);",
            ""),
        mutation(
            "a claimant of memory is not notified of free memory",
            "engine/base/LargeMemory",
            "first.onMemoryAvailable();",
            ""),
        mutation(
            "nobody answers a large message that nobody wants",
            "engine/stream/Streams",
            "receives.refuse(start);",
            ""),
        mutation(
            "demand for the replies of a large request is lost while that is on its way",
            "engine/stream/LargeRequests",
            "awaited.demand = position;",
            ""));
  }

  static List<Mutation> losses() {
    return List.of(
        mutation(
            "what a lost endpoint did not bring of a large message is not asked for again",
            "engine/rendezvous/PortionGrants",
            "missing(grant.offset, grant.lengthBytes);",
            ""),
        mutation(
            "what was posted counts as read when an endpoint is lost",
            "engine/rendezvous/RendezvousReceive",
            "grants.missing(readDone, lengthBytes - readDone);",
            "grants.missing(readPosted, lengthBytes - readPosted);"),
        mutation(
            "grants that were revoked are forgotten",
            "engine/rendezvous/PortionGrants",
            "revoked.add(number);",
            ""),
        mutation(
            "memory of a cancelled large message is given back while the peer still writes",
            "engine/rendezvous/RendezvousReceive",
            "&& reads == 0 && !grants.areOut()",
            ""));
  }
}
