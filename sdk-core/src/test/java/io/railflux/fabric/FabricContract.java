package io.railflux.fabric;

import org.junit.jupiter.api.Nested;

/**
 * The requirements for every fabric. To run the tests of all parts, extend this class and provide a {@link
 * FabricFixture}. Tests of an undeclared capability are skipped with a reason.
 */
public abstract class FabricContract {

  /** Opens two fabrics. Called before each test; the fixture is closed after it. */
  protected abstract FabricFixture openFixture() throws Exception;

  @Nested
  class Connections extends ConnectionContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }

  @Nested
  class Sends extends SendContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }

  @Nested
  class Backpressure extends BackpressureContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }

  @Nested
  class OneSided extends OneSidedContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }

  @Nested
  class MemoryOfTheCaller extends UserMemoryContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }

  @Nested
  class AccessRights extends AccessContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }

  @Nested
  class Errors extends ErrorContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }

  @Nested
  class Fencing extends FencingContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }

  @Nested
  class Closing extends CloseContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }

  @Nested
  class Waking extends WakeContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }

  @Nested
  class Honesty extends CapabilityContract {
    @Override
    FabricFixture open() throws Exception {
      return FabricContract.this.openFixture();
    }
  }
}
