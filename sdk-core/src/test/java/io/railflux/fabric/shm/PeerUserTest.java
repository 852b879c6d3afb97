package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class PeerUserTest {

  @TempDir
  Path directory;

  @Test
  void onlyTheOwnUserIsLetInFromEitherSide() throws Exception {
    UserPrincipal own = Files.getOwner(directory);
    UserPrincipal other = directory
        .getFileSystem()
        .getUserPrincipalLookupService()
        .lookupPrincipalByName(own.getName().equals("nobody") ? "root" : "nobody");
    UnixDomainSocketAddress address = UnixDomainSocketAddress.of(directory.resolve("s"));
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(address);
      try (SocketChannel connecting = SocketChannel.open(address);
          SocketChannel accepting = server.accept()) {
        for (SocketChannel side : new SocketChannel[] {connecting, accepting}) {
          assertEquals("", new PeerUser(own).objection(side));
          String objection = new PeerUser(other).objection(side);
          assertTrue(objection.contains("runs as user " + own.getName()), objection);
        }
      }
    }
  }
}
