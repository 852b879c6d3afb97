package io.railflux.fabric.disni;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.RealFixture;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs with DiSNI's library: {@code mvn test -Ddisni.library.path=<directory of libdisni.so>}. */
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
