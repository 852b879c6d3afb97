package io.railflux.fabric.verbs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * The endpoints of a fabric by number. Numbers are never used again within 2^31 connections; their low
 * bits are the place in the table, so numbers whose place is taken are left out.
 */
final class EndpointTable {

  private VerbsEndpoint[] places = new VerbsEndpoint[16];
  private final BitSet slots = new BitSet();
  private int size;
  private int last;

  /** The lowest number no endpoint has now: buffers keep their keys in arrays of these. */
  int takeSlot() {
    int slot = slots.nextClearBit(0);
    slots.set(slot);
    return slot;
  }

  void returnSlot(int slot) {
    slots.clear(slot);
  }

  /** The number of the next endpoint to {@link #put}. */
  int nextNumber() {
    if (2 * size >= places.length) {
      grow();
    }
    do {
      last = last == Integer.MAX_VALUE ? 1 : last + 1;
    } while (places[place(last)] != null);
    return last;
  }

  /** Distinct bits grow apart further, so whoever had a place of his own has one afterwards. */
  private void grow() {
    VerbsEndpoint[] former = places;
    places = new VerbsEndpoint[2 * former.length];
    Arrays.stream(former).filter(e -> e != null).forEach(e -> places[place(e.number())] = e);
  }

  void put(VerbsEndpoint endpoint) {
    places[place(endpoint.number())] = endpoint;
    size++;
  }

  void remove(VerbsEndpoint endpoint) {
    if (get(endpoint.number()) == endpoint) {
      places[place(endpoint.number())] = null;
      size--;
    }
  }

  /** Null when that one is gone. */
  VerbsEndpoint get(int number) {
    VerbsEndpoint endpoint = places[place(number)];
    return endpoint != null && endpoint.number() == number ? endpoint : null;
  }

  private int place(int number) {
    return number & places.length - 1;
  }

  List<VerbsEndpoint> all() {
    List<VerbsEndpoint> all = new ArrayList<>();
    for (VerbsEndpoint endpoint : places) {
      if (endpoint != null) {
        all.add(endpoint);
      }
    }
    return all;
  }
}
