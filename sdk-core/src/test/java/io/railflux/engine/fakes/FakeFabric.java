package io.railflux.engine.fakes;

import io.railflux.fabric.Capabilities;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricListener;
import io.railflux.fabric.LocalMemory;
import java.nio.ByteBuffer;

/** A fabric without peers, which only registers memory. */
public class FakeFabric implements Fabric {

  private final Capabilities capabilities;

  /** Number of open registrations. */
  public int registered;

  public FakeFabric(Capabilities capabilities) {
    this.capabilities = capabilities;
  }

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public Capabilities capabilities() {
    return capabilities;
  }

  @Override
  public LocalMemory register(ByteBuffer memory) {
    registered++;
    return new FakeRegion(0, memory, () -> registered--);
  }

  @Override
  public Listening listen(String location, FabricListener listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void connect(String location, long attempt, FabricListener listener) {
    throw new UnsupportedOperationException();
  }

  @Override
  public int poll(int limit) {
    return 0;
  }

  @Override
  public void arm() {}

  @Override
  public void disarm() {}

  @Override
  public void close() {}
}
