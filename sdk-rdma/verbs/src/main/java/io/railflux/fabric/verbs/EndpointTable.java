package io.railflux.fabric.verbs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Endpoints of a fabric by number. A number is not reused within 2^31 connections. Its low bits are the place in the
 * table; numbers with an occupied place are skipped.
 */
final class EndpointTable {

  private VerbsEndpoint[] places = new VerbsEndpoint[16];
  private final BitSet slots = new BitSet();
  private int size;
  private int last;

  /** Returns the lowest free slot; buffers store their keys in arrays indexed by slot. */
  int takeSlot() {
    int slot = slots.nextClearBit(0);
    slots.set(slot);
    return slot;
  }

  void returnSlot(int slot) {
    slots.clear(slot);
  }

  /** Returns the number for the next {@link #put}. */
  int nextNumber() {
    if (2 * size >= places.length) {
      grow();
    }
    do {
      last = last == Integer.MAX_VALUE ? 1 : last + 1;
    } while (places[place(last)] != null);
    return last;
  }

  /** Numbers with different places keep different places in a larger table. */
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

  /** Returns null without such an endpoint. */
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
