package io.railflux.engine.base;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Map from non-zero longs without boxing: open addressing with linear probing and backward-shift
 * deletion. Not thread-safe. Iteration order depends on the operations only, never on identity.
 */
public final class LongMap<V> {

  private long[] keys = new long[16];
  private Object[] values = new Object[16];
  private int size;

  public int size() {
    return size;
  }

  @SuppressWarnings("unchecked")
  public V get(long key) {
    return (V) values[slot(key)];
  }

  public void put(long key, V value) {
    if (size * 2 >= keys.length) {
      grow();
    }
    int slot = slot(key);
    if (values[slot] == null) {
      size++;
    }
    keys[slot] = key;
    values[slot] = value;
  }

  @SuppressWarnings("unchecked")
  public V remove(long key) {
    int slot = slot(key);
    V removed = (V) values[slot];
    if (removed != null) {
      size--;
      closeGap(slot);
    }
    return removed;
  }

  /** Removes all entries. */
  public void clear() {
    Arrays.fill(values, null);
    size = 0;
  }

  /** Returns a copy, which is safe to iterate while the map changes. */
  @SuppressWarnings("unchecked")
  public List<V> values() {
    List<V> copy = new ArrayList<>(size);
    for (Object value : values) {
      if (value != null) {
        copy.add((V) value);
      }
    }
    return copy;
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    int slot = home(key);
    while (values[slot] != null && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private int home(long key) {
    return (int) ((key * 0x9E3779B97F4A7C15L) >>> 40) & (keys.length - 1);
  }

  private void closeGap(int hole) {
    int mask = keys.length - 1;
    int gap = hole;
    for (int next = (gap + 1) & mask; values[next] != null; next = (next + 1) & mask) {
      if (((next - home(keys[next])) & mask) >= ((next - gap) & mask)) {
        keys[gap] = keys[next];
        values[gap] = values[next];
        gap = next;
      }
    }
    values[gap] = null;
  }

  @SuppressWarnings("unchecked")
  private void grow() {
    long[] oldKeys = keys;
    Object[] oldValues = values;
    keys = new long[oldKeys.length * 2];
    values = new Object[keys.length];
    size = 0;
    for (int i = 0; i < oldKeys.length; i++) {
      if (oldValues[i] != null) {
        put(oldKeys[i], (V) oldValues[i]);
      }
    }
  }
}
