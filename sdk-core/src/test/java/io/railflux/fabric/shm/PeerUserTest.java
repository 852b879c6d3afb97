package io.railflux.fabric.shm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.netty.channel.Channel;
import io.netty.channel.IoHandlerFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
  @MethodSource("io.railflux.fabric.shm.DomainSocketsTest#kindsOfSockets")
  void onlyTheOwnUserIsLetInFromEitherSide(IoHandlerFactory kind) throws Exception {
    UserPrincipal own = Files.getOwner(directory);
    int ownId = (int) Files.getAttribute(directory, "unix:uid");
    UserPrincipal other = directory
        .getFileSystem()
        .getUserPrincipalLookupService()
        .lookupPrincipalByName(own.getName().equals("nobody") ? "root" : "nobody");
    Path path = directory.resolve("s");
    List<Channel> accepted = new ArrayList<>();
    try (Loop loop = new Loop(kind)) {
      DomainSockets sockets = new DomainSockets(loop.eventLoop());
      Channel server = sockets.listen(path, accepted::add, cause -> {});
      Channel connecting = sockets.connect(path);
      while (accepted.isEmpty()) {
        loop.pollIo();
      }
      for (Channel side : List.of(connecting, accepted.get(0))) {
        assertEquals("", new PeerUser(own, ownId).objection(side));
        String objection = new PeerUser(other, ownId + 1).objection(side);
        assertTrue(objection.contains("the process there runs as user"), objection);
        assertTrue(objection.contains("this one as " + other.getName()), objection);
      }
      Stream.of(connecting, accepted.get(0), server).forEach(DomainSockets::close);
    }
  }
}
