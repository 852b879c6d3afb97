package io.railflux.policy;

/**
 * Kind of the message channel over which a peer sends to this node (CH2: T 3.1). Each direction of a connection has
 * its own. Ordered by the memory that a peer takes, the least first. A fabric that lacks a kind provides the nearest
 * one.
 */
public enum ChannelKind {
  /** Small buffers from a pool of this node, for all peers together. The paper's DC-sendrecv. */
  POOLED,
  /** A ring of the peer's own behind an endpoint that it shares with other peers. The paper's DC-RDMA. */
  SHARED_RING,
  /** A large ring, and an endpoint where the fabric has one per peer, of the peer's own. The paper's RC-RDMA. */
  DEDICATED_RING
}
