package io.railflux.fabric.shm.socket;

import java.nio.file.attribute.UserPrincipal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts only processes of the same user. A process that maps the memory has full access to it, so even root is
 * refused: a node that runs as root by mistake should fail.
 */
public final class PeerUser {

  private static final Logger LOG = LoggerFactory.getLogger(PeerUser.class);

  private final UserPrincipal own;
  private final int ownId;
  private boolean logged;

  public PeerUser(UserPrincipal own, int ownId) {
    this.own = own;
    this.ownId = ownId;
  }

  /** Returns the objection to a user with the given number; empty for this user. */
  public String objection(int id) {
    return id == ownId ? "" : objectionTo("number " + Integer.toUnsignedString(id));
  }

  /** Returns the objection to a user; empty for this user. */
  public String objection(UserPrincipal peer) {
    return peer.equals(own) ? "" : objectionTo(peer.getName());
  }

  private String objectionTo(String user) {
    String objection = "the other process runs as user " + user + ", this one as " + own.getName()
        + " (" + Integer.toUnsignedString(ownId) + ")";
    if (!logged) {
      logged = true;
      LOG.warn("shared memory refused: {}; further refusals are not logged", objection);
    }
    return objection;
  }
}
