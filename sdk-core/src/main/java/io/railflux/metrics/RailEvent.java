package io.railflux.metrics;

/**
 * Something happened to a path to a peer, or was decided about it.
 *
 * @param peer name of the peer's node
 * @param path number of the path, as {@link RailStatus#path}; {@link #ALL_PATHS} where it concerns the peer, or an
 *     address that is to become a path: {@link Kind#ADDED}, {@link Kind#RETRYING}, {@link Kind#PROBED}, {@link Kind#REMOVED} before it was one
 * @param rail where the path begins and leads to, or that address, for people
 * @param text cause or consequence, for people
 */
public record RailEvent(Kind kind, String peer, int path, String rail, String text) {

  /** Not one path, but the peer or an address of it. */
  public static final int ALL_PATHS = -1;

  /** What happened. */
  public enum Kind {
    /** A path carries traffic from now on: a new one, or one that was lost and is back. */
    JOINED,
    /** A path failed, was silent, or was given up: what it carried goes over the others. */
    LOST,
    /** Both sides know what a lost path had delivered, and all else was sent again. */
    SETTLED,
    /** It could not be connected; it is tried again after the pause that the text tells. */
    RETRYING,
    /** Somebody named a further address of the peer, or the peer told one, or one more connection is tried. */
    ADDED,
    /** A path is given up for good, by the side that connected it: what it carried goes over the others. */
    REMOVED,
    /** No path is left: streams pause. */
    PAUSED,
    /** The first path is back: streams go on. */
    RESUMED,
    /** A further connection was tried to see whether large messages get faster; the text tells what came of it. */
    PROBED,
    /** Another striping policy decides from now on. */
    POLICY_CHANGED
  }

  @Override
  public String toString() {
    return "peer '" + peer + "' " + kind + (rail.isEmpty() ? "" : " " + rail)
        + (text.isEmpty() ? "" : ": " + text);
  }
}
