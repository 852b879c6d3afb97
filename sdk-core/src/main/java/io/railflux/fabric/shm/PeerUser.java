package io.railflux.fabric.shm;

import io.netty.channel.Channel;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.socket.nio.NioChannelOption;
import java.io.IOException;
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
  private final int ownId;
  private boolean logged;

  PeerUser(UserPrincipal own, int ownId) {
    this.own = own;
    this.ownId = ownId;
  }

  /** What is wrong with the process at the other end; empty when it is one of ours. */
  String objection(Channel channel) throws IOException {
    if (channel instanceof EpollDomainSocketChannel epoll) {
      int id = epoll.peerCredentials().uid();
      return id == ownId ? "" : objectionTo("number " + Integer.toUnsignedString(id));
    }
    UserPrincipal peer = channel
        .config()
        .getOption(NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED))
        .user();
    return peer.equals(own) ? "" : objectionTo(peer.getName());
  }

  private String objectionTo(String user) {
    String objection = "the process there runs as user " + user + ", this one as " + own.getName()
        + " (" + Integer.toUnsignedString(ownId) + ")";
    if (!logged) {
      logged = true;
      LOG.warn("shared memory refused: {}; further refusals are not logged", objection);
    }
    return objection;
  }
}
