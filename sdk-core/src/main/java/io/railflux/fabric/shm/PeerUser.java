package io.railflux.fabric.shm;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.nio.file.attribute.UserPrincipal;
import jdk.net.ExtendedSocketOptions;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets only processes of our own user in. Whoever maps the same memory can do anything to it, so
 * even root is refused: a node that runs as root by mistake should hear of it.
 */
final class PeerUser {

  private static final Logger LOG = LoggerFactory.getLogger(PeerUser.class);

  private final UserPrincipal own;
  private boolean logged;

  PeerUser(UserPrincipal own) {
    this.own = own;
  }

  /** What is wrong with the process at the other end; empty when it is one of ours. */
  String objection(SocketChannel channel) throws IOException {
    UserPrincipal peer = channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    if (peer.equals(own)) {
      return "";
    }
    String objection =
        "the process there runs as user " + peer.getName() + ", this one as " + own.getName();
    if (!logged) {
      logged = true;
      LOG.warn("shared memory refused: {}; further refusals are not logged", objection);
    }
    return objection;
  }
}
