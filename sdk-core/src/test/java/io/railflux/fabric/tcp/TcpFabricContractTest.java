package io.railflux.fabric.tcp;

import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.RealFixture;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;

class TcpFabricContractTest extends FabricContract {

  @Override
  protected FabricFixture openFixture() throws Exception {
    return new RealFixture(new TcpFabricProvider(), number -> freeLocation());
  }

  static String freeLocation() {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return "127.0.0.1:" + socket.getLocalPort();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
