package io.railflux.fabric.disni;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.RealFixture;
import org.junit.jupiter.api.extension.ExtendWith;

/** With DiSNI's library: {@code mvn test -Ddisni.library.path=<where libdisni.so is>}. */
@ExtendWith(WhereDisniWorks.class)
class DisniFabricContractTest extends FabricContract {

  private static final int FIRST_PORT = 27_000;

  @Override
  protected FabricFixture openFixture() throws Exception {
    String address = RdmaInterface.address();
    return new RealFixture(
        new DisniFabricProvider(), number -> address + ":" + (FIRST_PORT + number));
  }
}
