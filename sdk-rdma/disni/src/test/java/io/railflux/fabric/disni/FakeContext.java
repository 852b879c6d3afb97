package io.railflux.fabric.disni;

import com.ibm.disni.verbs.IbvContext;
import java.io.IOException;

/** A device, identified by its file descriptor as a real one is. */
final class FakeContext extends IbvContext {

  FakeContext(int number) throws IOException {
    super(1000 + number, 1);
  }
}
