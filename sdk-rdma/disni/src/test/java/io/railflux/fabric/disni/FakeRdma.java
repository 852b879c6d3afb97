package io.railflux.fabric.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.IOException;
import java.lang.reflect.Field;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * RDMA cards of one process without any card, in place of DiSNI's native library. Addresses
 * 10.0.<em>n</em>.x belong to device n. Every call is one step under one lock.
 *
 * <p>It is as strict as a card: requests run in order, a message waits for a receive, keys are those of
 * a protection domain, an error ends both queue pairs and flushes them, and what is destroyed before
 * what uses it is an error.
 */
final class FakeRdma extends RdmaProvider implements AutoCloseable {

  private final FakeCm cm = new FakeCm(this);
  private final FakeVerbs verbs = new FakeVerbs(this);
  private final Map<Integer, FakeContext> devices = new HashMap<>();
  private final Map<InetSocketAddress, FakeId> listening = new HashMap<>();
  private final Map<String, Integer> alive = new TreeMap<>();
  private final RdmaProvider before;
  private int nextKey = 100;
  private int nextPort = 40_000;
  private long nextAddress = 1L << 40;

  private boolean flushing = true;

  private FakeRdma(RdmaProvider before) {
    this.before = before;
  }

  /** DiSNI's classes ask this field for their natives, their constructors included. */
  static FakeRdma install() {
    FakeRdma fake = new FakeRdma(set(null));
    set(fake);
    return fake;
  }

  private static RdmaProvider set(RdmaProvider provider) {
    try {
      Field field = RdmaProvider.class.getDeclaredField("provider");
      field.setAccessible(true);
      RdmaProvider old = (RdmaProvider) field.get(null);
      field.set(null, provider);
      return old;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    set(before);
  }

  @Override
  public RdmaCm openCm() {
    return cm;
  }

  @Override
  public RdmaVerbs openVerbs() {
    return verbs;
  }

  @Override
  public int getVersion() {
    return 32;
  }

  synchronized FakeContext device(InetSocketAddress of) throws IOException {
    int number = of.getAddress().getAddress()[2];
    FakeContext device = devices.get(number);
    if (device == null) {
      device = new FakeContext(number);
      devices.put(number, device);
    }
    return device;
  }

  static boolean isReachable(InetSocketAddress address) {
    return address.getAddress().getHostAddress().startsWith("10.0.");
  }

  InetSocketAddress bind(InetSocketAddress wanted) throws IOException {
    InetSocketAddress bound =
        wanted.getPort() != 0 ? wanted : new InetSocketAddress(wanted.getAddress(), nextPort++);
    if (listening.containsKey(bound)) {
      throw new IOException("rdma_bind_addr failed: Address already in use\n");
    }
    return bound;
  }

  void listen(InetSocketAddress at, FakeId id) {
    listening.put(at, id);
  }

  void unlisten(FakeId id) {
    listening.values().remove(id);
  }

  FakeId listeningAt(InetSocketAddress address) {
    return listening.get(address);
  }

  /** Waits for something, as the natives do; null when nothing came in time. */
  synchronized <T> T await(int timeoutMillis, Supplier<T> source) throws IOException {
    long end = System.nanoTime() + timeoutMillis * 1_000_000L;
    T found = source.get();
    while (found == null && end - System.nanoTime() > 0) {
      try {
        TimeUnit.NANOSECONDS.timedWait(this, end - System.nanoTime());
      } catch (InterruptedException e) {
        throw new IOException(e);
      }
      found = source.get();
    }
    return found;
  }

  int nextKey() {
    return nextKey++;
  }

  long nextAddress(int bytes) {
    long address = nextAddress;
    nextAddress += (bytes + 0x1FFFFL) & -0x10000L;
    return address;
  }

  /** From now on queue pairs in error keep what they have, as a card in trouble does. */
  synchronized void stopFlushing() {
    flushing = false;
  }

  boolean isFlushing() {
    return flushing;
  }

  void born(String kind) {
    alive.merge(kind, 1, Integer::sum);
  }

  void died(String kind) {
    alive.merge(kind, -1, Integer::sum);
  }

  /** What was made and not released, for people. */
  synchronized String leaks() {
    Map<String, Integer> left = new TreeMap<>(alive);
    left.values().removeIf(count -> count == 0);
    return left.toString();
  }

  synchronized boolean isClean() {
    return alive.values().stream().allMatch(count -> count == 0);
  }

  synchronized int alive(String kind) {
    return alive.getOrDefault(kind, 0);
  }
}
