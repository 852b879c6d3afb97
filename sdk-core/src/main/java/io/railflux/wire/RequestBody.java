package io.railflux.wire;

import java.nio.ByteBuffer;

/**
 * Body of a REQUEST frame. {@link ReceivedFrame} verifies that the route id is present.
 *
 * <pre>
 *  0                8
 * +----------------+----------------+
 * | int64 routeId  | payload        |   the encoded request
 * +----------------+----------------+
 * </pre>
 */
public final class RequestBody {
  /** Size of the route id before the payload. */
  public static final int ROUTE_ID_BYTES = 8;

  private RequestBody() {}

  /** Writes the route id at {@code bodyOffset}. */
  public static void putRouteId(ByteBuffer b, int bodyOffset, long routeId) {
    Fields.LONG.set(b, bodyOffset, routeId);
  }

  /** Reads the route id at {@code bodyOffset}. */
  public static long routeId(ByteBuffer b, int bodyOffset) {
    return (long) Fields.LONG.get(b, bodyOffset);
  }
}
