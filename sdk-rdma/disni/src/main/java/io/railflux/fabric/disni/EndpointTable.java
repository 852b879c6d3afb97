package io.railflux.fabric.disni;

/**
 * Endpoints by number. Numbers are never used again; which ones are given is chosen so that a look-up
 * is one index. Engine thread only.
 */
final class EndpointTable {

  private DisniEndpoint[] cells = new DisniEndpoint[16];
  private int size;
  private int lastNumber;

  /** A number whose cell is free; the next call gives another one, whether it is used or not. */
  int nextNumber() {
    if (2 * (size + 1) > cells.length) {
      grow();
    }
    do {
      lastNumber++;
    } while (cells[index(lastNumber)] != null);
    return lastNumber;
  }

  /** Right after {@link #nextNumber} gave its number. */
  void add(DisniEndpoint endpoint) {
    cells[index(endpoint.number())] = endpoint;
    size++;
  }

  void remove(DisniEndpoint endpoint) {
    int index = index(endpoint.number());
    if (cells[index] == endpoint) {
      cells[index] = null;
      size--;
    }
  }

  /** Null when there is none any more. */
  DisniEndpoint get(int number) {
    DisniEndpoint endpoint = cells[index(number)];
    return endpoint != null && endpoint.number() == number ? endpoint : null;
  }

  /** In no order; a copy, so that callbacks may close some. */
  DisniEndpoint[] all() {
    DisniEndpoint[] all = new DisniEndpoint[size];
    int count = 0;
    for (DisniEndpoint endpoint : cells) {
      if (endpoint != null) {
        all[count++] = endpoint;
      }
    }
    return all;
  }

  /** Different numbers stay in different cells of a table twice as long. */
  private void grow() {
    DisniEndpoint[] old = cells;
    cells = new DisniEndpoint[2 * old.length];
    for (DisniEndpoint endpoint : old) {
      if (endpoint != null) {
        cells[index(endpoint.number())] = endpoint;
      }
    }
  }

  private int index(int number) {
    return number & (cells.length - 1);
  }
}
