package io.railflux.fabric.disni;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.railflux.fabric.Availability;
import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.RealFixture;

/** With DiSNI's library: {@code mvn test -Ddisni.library.path=<where libdisni.so is>}. */
class DisniFabricContractTest extends FabricContract {

  private static final FabricProvider PROVIDER = new DisniFabricProvider();
  private static final int FIRST_PORT = 27_000;

  @Override
  protected FabricFixture openFixture() throws Exception {
    Availability found = PROVIDER.availability();
    assumeTrue(found.available(), () -> "disni: " + found.reason() + "; " + found.remedy());
    String address = RdmaInterface.address();
    return new RealFixture(PROVIDER, number -> address + ":" + (FIRST_PORT + number));
  }
}
