package io.railflux.fabric.base;

import io.railflux.fabric.Endpoint;
import java.util.Arrays;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The endpoints of a fabric, in the order in which its polls visit them. A limit that is always reached does not starve
 * later endpoints, because the next poll begins behind the last endpoint that could deliver. Callbacks may add and
 * remove endpoints during a poll, which visits those from its begin. Engine thread only.
 *
 * <p>The fabric itself calls its endpoints: one call site for the endpoints of all fabrics would be megamorphic.
 *
 * @param <E> type of the endpoints
 */
public final class PollRotation<E extends Endpoint> {

  private static final Logger LOG = LoggerFactory.getLogger(PollRotation.class);

  private final E[] none;

  /** Copied on write. */
  private E[] endpoints;

  private E[] visited;
  private int first;
  private int start;
  private int count;

  /** @param none an empty array of the type of the endpoints */
  public PollRotation(E[] none) {
    this.none = none;
    endpoints = none;
    visited = none;
  }

  /** Returns the present endpoints. The caller does not change the array, and later changes do not affect it. */
  public E[] all() {
    return endpoints;
  }

  /** Returns the number of endpoints. */
  public int size() {
    return endpoints.length;
  }

  /** Adds an endpoint, which the next poll visits. */
  public void add(E endpoint) {
    E[] more = Arrays.copyOf(endpoints, endpoints.length + 1);
    more[endpoints.length] = endpoint;
    endpoints = more;
  }

  /** Removes an endpoint, if present. */
  public void remove(E endpoint) {
    int index = 0;
    while (index < endpoints.length && endpoints[index] != endpoint) {
      index++;
    }
    if (index < endpoints.length) {
      E[] fewer = Arrays.copyOf(endpoints, endpoints.length - 1);
      System.arraycopy(endpoints, index + 1, fewer, index, fewer.length - index);
      endpoints = fewer;
    }
  }

  /** Removes all endpoints, from the poll in progress too. */
  public void clear() {
    endpoints = none;
    visited = none;
    count = 0;
  }

  /** Begins a poll. */
  public void begin() {
    visited = endpoints;
    start = first < visited.length ? first : 0;
    count = 0;
  }

  /**
   * Returns the next endpoint of this poll; null after the last one.
   *
   * @param room events that the poll may still deliver; without room the next poll begins with this endpoint
   */
  public E next(int room) {
    if (count == visited.length) {
      return null;
    }
    int index = start + count++;
    if (index >= visited.length) {
      index -= visited.length;
    }
    if (room > 0) {
      first = index + 1;
    }
    return visited[index];
  }

  /**
   * Closes an endpoint whose listener threw, and logs the cause.
   *
   * @return 1, the callback that threw
   */
  public int closeFaulty(E endpoint, Throwable cause) {
    LOG.error("closing an endpoint whose listener threw: {}", endpoint.remoteDescription(), cause);
    endpoint.close();
    return 1;
  }
}
