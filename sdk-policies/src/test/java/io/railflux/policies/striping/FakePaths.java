package io.railflux.policies.striping;

import io.railflux.policy.Paths;
import java.util.stream.IntStream;

/** Paths that a test defines, each on its own rail. */
final class FakePaths implements Paths {

  private final int[] ids;
  private final long[] pending;
  private final long[] pendingLarge;

  /** Creates paths with numbers, and with bytes of large messages in flight on each. */
  FakePaths(int[] ids, long[] pending) {
    this(ids, pending, pending);
  }

  /** Creates paths with numbers, bytes in flight, and the part of these bytes that belongs to large messages. */
  FakePaths(int[] ids, long[] pending, long[] pendingLarge) {
    this.ids = ids;
    this.pending = pending;
    this.pendingLarge = pendingLarge;
  }

  /** Creates paths numbered from 0. */
  static FakePaths of(int count) {
    return new FakePaths(IntStream.range(0, count).toArray(), new long[count]);
  }

  /** Creates paths with numbers. */
  static FakePaths withIds(int... ids) {
    return new FakePaths(ids, new long[ids.length]);
  }

  @Override
  public int count() {
    return ids.length;
  }

  @Override
  public int id(int path) {
    return ids[path];
  }

  @Override
  public int rail(int path) {
    return ids[path];
  }

  @Override
  public long pendingBytes(int path) {
    return pending[path];
  }

  @Override
  public long pendingLargeBytes(int path) {
    return pendingLarge[path];
  }
}
