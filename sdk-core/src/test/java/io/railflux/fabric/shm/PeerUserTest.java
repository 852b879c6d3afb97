package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.IoLoop;
import io.railflux.fabric.shm.socket.DomainSockets;
import io.railflux.fabric.shm.socket.DomainSockets.Connected;
import io.railflux.fabric.shm.socket.PeerUser;
import java.io.Closeable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@EnabledOnOs(value = OS.LINUX, disabledReason = "shared memory needs Linux")
class PeerUserTest {

  @TempDir
  Path directory;

  @ParameterizedTest
  @MethodSource("io.railflux.fabric.shm.socket.DomainSocketsTest#kindsOfSockets")
  void bothSidesAcceptTheirOwnUserOnly(Supplier<IoLoop> kind) throws Exception {
    UserPrincipal own = Files.getOwner(directory);
    int ownId = (int) Files.getAttribute(directory, "unix:uid");
    UserPrincipal other = directory
        .getFileSystem()
        .getUserPrincipalLookupService()
        .lookupPrincipalByName(own.getName().equals("nobody") ? "root" : "nobody");
    Path path = directory.resolve("s");
    List<Connected> accepted = new ArrayList<>();
    try (Loop loop = new Loop(kind.get())) {
      DomainSockets sockets = DomainSockets.of(loop.socketLoop());
      Closeable server = sockets.listen(path, accepted::add, cause -> false);
      Connected connecting = sockets.connect(path);
      while (accepted.isEmpty()) {
        loop.pollIo();
      }
      for (Connected side : List.of(connecting, accepted.get(0))) {
        assertEquals("", side.objection(new PeerUser(own, ownId)));
        String objection = side.objection(new PeerUser(other, ownId + 1));
        assertTrue(objection.contains("the other process runs as user"), objection);
        assertTrue(objection.contains("this one as " + other.getName()), objection);
      }
      connecting.close();
      accepted.get(0).close();
      server.close();
    }
  }
}
