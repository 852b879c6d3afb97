package io.railflux.fabric.tcp;

import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.RealFixture;

/** Where epoll is missing, or another fabric needs channels of the JDK's to be watched. */
public class TcpOverNioContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() throws Exception {
    return new RealFixture(new OverNio(), number -> TcpFabricContractTest.freeLocation());
  }

  /** Public for the process that is killed. */
  public static final class OverNio implements FabricProvider {

    private final FabricProvider tcp = new TcpFabricProvider();

    /** For the process that is killed. */
    public OverNio() {}

    @Override
    public String name() {
      return tcp.name();
    }

    @Override
    public boolean watchesChannels() {
      return true;
    }

    @Override
    public Availability availability() {
      return tcp.availability();
    }

    @Override
    public Fabric open(FabricContext context) {
      return tcp.open(context);
    }
  }
}
