package io.railflux.policies.striping;

import io.railflux.policy.Paths;
import java.util.stream.IntStream;

/** Paths that are what a test says: each on a rail of its own. */
final class FakePaths implements Paths {

  private final int[] ids;
  private final long[] pending;

  /** Of these numbers, with so many bytes under way on each. */
  FakePaths(int[] ids, long[] pending) {
    this.ids = ids;
    this.pending = pending;
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
}
