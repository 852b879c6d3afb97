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
 * Simulates the RDMA cards of one process in place of DiSNI's native library. Addresses 10.0.<em>n</em>.x belong to
 * device n. Every call is one step under one lock.
 *
 * <p>It is as strict as a card. Requests run in order, a message waits for a receive, and keys belong to a protection
 * domain. An error ends both queue pairs and flushes them. Destroying an object before its users is an error.
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

  /** Installs the fake in the field from which DiSNI's classes, including their constructors, take their natives. */
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

  /** Waits as the natives do. Returns null after the timeout. */
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

  /** From now on queue pairs in error flush nothing, as a defective card does. */
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

  /** Describes the objects that were created and not released. */
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
