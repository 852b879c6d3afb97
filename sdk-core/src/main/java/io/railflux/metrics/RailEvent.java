package io.railflux.metrics;

/**
 * Event of a path to a peer.
 *
 * @param kind kind of the event
 * @param peer name of the remote node
 * @param path number of the path, as {@link RailStatus#path}; {@link #ALL_PATHS} if the event concerns the peer or an
 *     address without a path, as {@link Kind#ADDED}, {@link Kind#RETRYING}, {@link Kind#PROBED} and {@link
 *     Kind#REMOVED} may
 * @param rail both ends of the path, or the address, as text for people
 * @param text cause or consequence, as text for people
 */
public record RailEvent(Kind kind, String peer, int path, String rail, String text) {

  /** Number in place of a path for events of the peer or of an address. */
  public static final int ALL_PATHS = -1;

  /** Kind of an event. */
  public enum Kind {
    /** A new or restored path carries traffic. */
    JOINED,
    /** A path failed, made no progress, or was given up. Other paths carry its frames. */
    LOST,
    /** Both sides know which frames of a lost path arrived, and all others were sent again. */
    SETTLED,
    /** A connect failed; the text contains the time until the next attempt. */
    RETRYING,
    /** The application named a further address, the peer announced one, or a trial adds a connection. */
    ADDED,
    /** The connecting side removed a path for good. Other paths carry its frames. */
    REMOVED,
    /** No path is left; streams pause. */
    PAUSED,
    /** The first path is restored; streams resume. */
    RESUMED,
    /** The trial of a further connection ended; the text contains its result. */
    PROBED,
    /** Another striping policy took effect. */
    POLICY_CHANGED,
    /** Another message channel replaced the channel of one direction; the text names both channels. */
    CHANNEL_CHANGED
  }

  @Override
  public String toString() {
    return "peer '" + peer + "' " + kind + (rail.isEmpty() ? "" : " " + rail)
        + (text.isEmpty() ? "" : ": " + text);
  }
}
