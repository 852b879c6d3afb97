package io.railflux.policies.striping;

import io.railflux.policy.Paths;
import java.util.stream.IntStream;

/** Paths that are what a test says: each on a rail of its own. */
final class FakePaths implements Paths {

  private final int[] ids;
  private final long[] pending;
  private final long[] pendingLarge;

  /** Of these numbers, with so many bytes of large messages under way on each. */
  FakePaths(int[] ids, long[] pending) {
    this(ids, pending, pending);
  }

  /** Of these numbers, with so many bytes under way on each, and of those so many of large messages. */
  FakePaths(int[] ids, long[] pending, long[] pendingLarge) {
    this.ids = ids;
    this.pending = pending;
    this.pendingLarge = pendingLarge;
  }

  /** That many, numbered from 0. */
  static FakePaths of(int count) {
    return new FakePaths(IntStream.range(0, count).toArray(), new long[count]);
  }

  /** Those of these numbers. */
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
