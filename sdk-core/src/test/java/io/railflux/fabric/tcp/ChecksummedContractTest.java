package io.railflux.fabric.tcp;

import io.railflux.fabric.Availability;
import io.railflux.fabric.Checksum;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.Protection;
import io.railflux.fabric.RealFixture;
import io.railflux.fabric.SocketLoop;

/** The contract of TCP, with a checksum in each frame. */
public class ChecksummedContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() throws Exception {
    return new RealFixture(new WithChecksums(), number -> TcpFabricContractTest.freeLocation());
  }

  /** Public, because the killed process instantiates it. */
  public static final class WithChecksums implements FabricProvider {

    private final TcpFabricProvider tcp = new TcpFabricProvider();

    @Override
    public String name() {
      return tcp.name();
    }

    @Override
    public Availability availability() {
      return tcp.availability();
    }

    @Override
    public Fabric open(FabricContext context) {
      return tcp.open(new RequiringContext(context));
    }
  }

  private record RequiringContext(FabricContext context) implements FabricContext {

    @Override
    public Checksum checksum(Protection protection) {
      return Checksum.REQUIRED;
    }

    @Override
    public long nowNanos() {
      return context.nowNanos();
    }

    @Override
    public long randomLong() {
      return context.randomLong();
    }

    @Override
    public void wakeUp() {
      context.wakeUp();
    }

    @Override
    public SocketLoop socketLoop() {
      return context.socketLoop();
    }

    @Override
    public boolean justSlept() {
      return context.justSlept();
    }

    @Override
    public int pollIo() {
      return context.pollIo();
    }
  }
}
