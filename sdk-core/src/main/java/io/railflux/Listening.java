package io.railflux;

import io.railflux.engine.Rail;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Opens what a node listens at. Engine thread only. */
final class Listening {

  private static final Logger LOG = LoggerFactory.getLogger(Listening.class);

  private final Node node;

  Listening(Node node) {
    this.node = node;
  }

  /** Returns the address in effect. */
  String open(Address address) throws IOException {
    if (address.isAuto()) {
      return openEverywhere(address.location());
    }
    Rail rail = node.requireRail(address.scheme());
    return address.scheme() + ":" + listen(rail, address.location());
  }

  /** For hosts by TCP, and for this one by a name in shared memory that belongs to the port. */
  private String openEverywhere(String location) throws IOException {
    String inEffect = listen(node.requireRail(Ways.TCP), location);
    Rail shm = node.rail(Ways.SHM);
    Optional<String> name = HostPort.parse(inEffect).sharedMemoryName();
    if (shm != null && name.isPresent()) {
      try {
        listen(shm, name.get());
      } catch (IOException e) {
        LOG.warn(
            "node '{}' is found at {} over TCP only, by this host's processes too: {}",
            node.name(),
            inEffect,
            e.getMessage());
      }
    }
    return inEffect;
  }

  private String listen(Rail rail, String location) throws IOException {
    String inEffect = node.engine().listen(rail, location).location();
    if (rail.fabric().name().equals(Ways.TCP) && inEffect.startsWith("*:")) {
      node.discovery().listensEverywhere(HostPort.parse(inEffect).port());
    }
    return inEffect;
  }
}
