package io.railflux.fabric.disni;

/**
 * Endpoints by number. Numbers are never reused, and chosen so that a look-up is one array access. Engine thread
 * only.
 */
final class DisniEndpointTable {

  private DisniEndpoint[] cells = new DisniEndpoint[16];
  private int size;
  private int lastNumber;

  /** Returns a number whose cell is free; each call returns another one. */
  int nextNumber() {
    if (2 * (size + 1) > cells.length) {
      grow();
    }
    do {
      lastNumber++;
    } while (cells[index(lastNumber)] != null);
    return lastNumber;
  }

  /** Called directly after {@link #nextNumber}. */
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

  /** Returns null without such an endpoint. */
  DisniEndpoint get(int number) {
    DisniEndpoint endpoint = cells[index(number)];
    return endpoint != null && endpoint.number() == number ? endpoint : null;
  }

  /** Returns a copy without order, because callbacks close endpoints. */
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

  /** Different numbers have different cells in a table of twice the size. */
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
