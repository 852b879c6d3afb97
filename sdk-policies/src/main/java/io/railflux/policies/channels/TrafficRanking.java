package io.railflux.policies.channels;

import io.railflux.policy.ChannelKind;
import java.util.Arrays;

/**
 * Peers in descending order of their messages. Peers without messages are left out. Of two equal peers the one with
 * the better channel comes first, so that equal traffic keeps its channels; then the one with the smaller number.
 *
 * <p>Sorts keys that contain the whole order: from the highest bit messages, endpoint, kind and number.
 */
final class TrafficRanking {

  /** Enough for ten million messages a second during an hour; more count as so many. */
  private static final long MAX_MESSAGES = (1L << 36) - 1;

  private static final int KIND_BITS = 2;
  private static final int NUMBER_BITS = 24;
  private static final int NUMBERS = (1 << NUMBER_BITS) - 1;

  private long[] keys = new long[0];
  private long[] messages = new long[0];
  private boolean[] hasEndpoint = new boolean[0];
  private int size;

  /** Removes all peers and makes room for so many. */
  void reset(int peers) {
    size = 0;
    if (keys.length < peers) {
      int capacity = Math.max(peers, keys.length + keys.length / 2);
      keys = new long[capacity];
      messages = new long[capacity];
      hasEndpoint = new boolean[capacity];
    }
  }

  void add(int peer, long count, ChannelKind kind, boolean endpoint) {
    if (count == 0) {
      return;
    }
    long key = Math.min(count, MAX_MESSAGES);
    key = key << 1 | (endpoint ? 1 : 0);
    key = key << KIND_BITS | kind.ordinal();
    keys[size++] = key << NUMBER_BITS | (NUMBERS - peer);
  }

  void sort() {
    Arrays.sort(keys, 0, size);
    for (int place = 0; place < size; place++) {
      long key = keys[size - 1 - place] >> (NUMBER_BITS + KIND_BITS);
      hasEndpoint[place] = (key & 1) != 0;
      messages[place] = key >> 1;
    }
  }

  int size() {
    return size;
  }

  /** Returns the number of the peer at a place. */
  int peer(int place) {
    return NUMBERS - (int) (keys[size - 1 - place] & NUMBERS);
  }

  /** Returns the messages by place; valid up to {@link #size}. */
  long[] messages() {
    return messages;
  }

  /** Returns by place whether the peer has an endpoint, in use or parked; valid up to {@link #size}. */
  boolean[] hasEndpoint() {
    return hasEndpoint;
  }
}
