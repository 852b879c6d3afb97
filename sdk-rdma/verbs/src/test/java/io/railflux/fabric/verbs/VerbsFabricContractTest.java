package io.railflux.fabric.verbs;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.RealFixture;
import io.railflux.fabric.verbs.connect.Location;
import io.railflux.fabric.verbs.connect.RailAddress;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("RV5")
@Tag("CM4")
@ExtendWith({WhereVerbsWork.class, NothingNativeLeft.class})
class VerbsFabricContractTest extends FabricContract {

  private static final AtomicInteger LAST_PORT = new AtomicInteger(20_000);

  @Override
  protected FabricFixture openFixture() throws Exception {
    String host = Location.format(RailAddress.any(), 0).replaceFirst(":0$", "");
    return new RealFixture(
        new VerbsFabricProvider(), number -> host + ":" + LAST_PORT.incrementAndGet());
  }
}
