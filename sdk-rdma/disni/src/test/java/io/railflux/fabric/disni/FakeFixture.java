package io.railflux.fabric.disni;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.RealContext;
import io.railflux.fabric.RealFixture;
import io.railflux.fabric.RecordingListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Two fabrics over the fake. The close verifies that no native object remains. */
final class FakeFixture implements FabricFixture {

  static final FabricProvider PROVIDER =
      new DisniFabricProvider(() -> Availability.yes("a fake without cards"));

  private final FakeRdma rdma = FakeRdma.install();
  private final List<Doomed> victims = new ArrayList<>();
  private final RealFixture real;

  FakeFixture() throws IOException {
    real = new RealFixture(PROVIDER, number -> "10.0.0.1:" + (7000 + number));
  }

  FakeRdma rdma() {
    return rdma;
  }

  @Override
  public Fabric local() {
    return real.local();
  }

  @Override
  public Fabric remote() {
    return real.remote();
  }

  @Override
  public String freeLocation() {
    return real.freeLocation();
  }

  @Override
  public String deserted() {
    return real.deserted();
  }

  @Override
  public boolean await(BooleanSupplier condition) {
    return real.await(() -> {
      victims.forEach(Doomed::poll);
      return condition.getAsBoolean();
    });
  }

  @Override
  public void settle() {
    real.settle();
  }

  @Override
  public boolean sleep(Fabric fabric) {
    return real.sleep(fabric);
  }

  @Override
  public boolean sleepsOn(Fabric fabric) {
    return real.sleepsOn(fabric);
  }

  @Override
  public long nowNanos() {
    return real.nowNanos();
  }

  @Override
  public Victim victim() throws Exception {
    Doomed victim = new Doomed(freeLocation());
    victims.add(victim);
    return victim;
  }

  @Override
  public void close() {
    victims.forEach(Doomed::kill);
    real.close();
    Awaitility.await().untilAsserted(() -> assertTrue(rdma.isClean(), rdma::leaks));
    rdma.close();
  }

  /** Another fabric. Its kill closes all resources, as the kernel does for a dead process. */
  private static final class Doomed implements Victim {

    private final RealContext context = new RealContext();
    private final Fabric fabric = PROVIDER.open(context);
    private final Fabric.Listening listening;

    Doomed(String location) throws IOException {
      listening = fabric.listen(location, new RecordingListener());
    }

    void poll() {
      fabric.poll(16);
    }

    @Override
    public String location() {
      return listening.location();
    }

    @Override
    public void kill() {
      fabric.close();
      context.close();
    }
  }
}
