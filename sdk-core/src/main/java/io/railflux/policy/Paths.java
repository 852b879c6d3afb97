package io.railflux.policy;

/**
 * The live paths to one peer. Their order is stable while paths join and leave. Valid during the call only; engine
 * thread.
 */
public interface Paths {

  /**
   * Returns the number of paths. Other methods identify a path by its index, 0 to {@code count() - 1}.
   *
   * @return at least 1
   */
  int count();

  /**
   * Returns the identity of a path, which no other path to the peer ever has.
   *
   * @param path index of the path
   * @return the identity
   */
  int id(int path);

  /**
   * Returns the rail of a path. Connections to one address of the peer are one rail. Rails are numbered from 0 in the
   * order of their addresses in {@code connect}, and then of their addition or discovery. Removed rails no longer
   * count.
   *
   * @param path index of the path
   * @return number of the rail
   */
  int rail(int path);

  /**
   * Returns the bytes in flight.
   *
   * @param path index of the path
   * @return bytes that were handed to the path and are not known to have arrived
   */
  long pendingBytes(int path);

  /**
   * Returns the bytes in flight that belong to large messages, whose outcome {@link StripingPolicy#moved} reports.
   *
   * @param path index of the path
   * @return part of {@link #pendingBytes}, in bytes
   */
  long pendingLargeBytes(int path);
}
