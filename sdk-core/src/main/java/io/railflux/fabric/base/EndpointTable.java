package io.railflux.fabric.base;

import java.util.ArrayList;
import java.util.List;

/**
 * Endpoints of a fabric by number, for completions that carry it. The low bits of a number are the place in the table,
 * so a look-up is one array access; numbers with an occupied place are skipped. A number is not reused within 2^31
 * connections. Engine thread only.
 *
 * @param <E> type of the endpoints
 */
public final class EndpointTable<E> {

  private static final int INITIAL_PLACES = 16;

  private int[] numbers = new int[INITIAL_PLACES];
  private Object[] endpoints = new Object[INITIAL_PLACES];
  private int size;
  private int last;

  /** Creates an empty table. */
  public EndpointTable() {}

  /** Returns a free number, positive and different from those before; {@link #put} uses it next. */
  public int nextNumber() {
    if (2 * size >= endpoints.length) {
      grow();
    }
    do {
      last = last == Integer.MAX_VALUE ? 1 : last + 1;
    } while (endpoints[place(last)] != null);
    return last;
  }

  /** Numbers with different places keep different places in a larger table. */
  private void grow() {
    int[] formerNumbers = numbers;
    Object[] former = endpoints;
    numbers = new int[2 * former.length];
    endpoints = new Object[2 * former.length];
    for (int i = 0; i < former.length; i++) {
      if (former[i] != null) {
        set(formerNumbers[i], former[i]);
      }
    }
  }

  private void set(int number, Object endpoint) {
    numbers[place(number)] = number;
    endpoints[place(number)] = endpoint;
  }

  /** Adds an endpoint under the number of {@link #nextNumber}. */
  public void put(int number, E endpoint) {
    set(number, endpoint);
    size++;
  }

  /** Removes the endpoint with a number, if present. */
  public void remove(int number) {
    if (get(number) != null) {
      endpoints[place(number)] = null;
      size--;
    }
  }

  /** Returns the endpoint with a number; null without one. */
  @SuppressWarnings("unchecked") // Only put stores endpoints.
  public E get(int number) {
    int place = place(number);
    return numbers[place] == number ? (E) endpoints[place] : null;
  }

  private int place(int number) {
    return number & endpoints.length - 1;
  }

  /** Returns a copy of the endpoints, because callbacks close some of them. */
  @SuppressWarnings("unchecked") // Only put stores endpoints.
  public List<E> all() {
    List<E> all = new ArrayList<>(size);
    for (Object endpoint : endpoints) {
      if (endpoint != null) {
        all.add((E) endpoint);
      }
    }
    return all;
  }
}
