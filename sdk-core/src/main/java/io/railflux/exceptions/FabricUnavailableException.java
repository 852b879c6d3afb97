package io.railflux.exceptions;

/**
 * A fabric the user asked for cannot work on this host. Thrown only when the fabric was named
 * explicitly; otherwise the node falls back to the next fabric and logs the same words.
 */
public final class FabricUnavailableException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final String fabric;
  private final String reason;
  private final String remedy;

  /**
   * @param fabric short name such as {@code shm}
   * @param reason what is missing, as half a sentence
   * @param remedy what the user can do about it, as half a sentence
   */
  public FabricUnavailableException(String fabric, String reason, String remedy) {
    this(fabric, reason, remedy, null);
  }

  /** As above, with the failure that was observed as cause. */
  public FabricUnavailableException(String fabric, String reason, String remedy, Throwable cause) {
    super("fabric " + fabric + " is unavailable: " + reason + "; " + remedy, cause);
    this.fabric = fabric;
    this.reason = reason;
    this.remedy = remedy;
  }

  /** Short name of the fabric, such as {@code shm}. */
  public String fabric() {
    return fabric;
  }

  /** What is missing. */
  public String reason() {
    return reason;
  }

  /** What the user can do about it. */
  public String remedy() {
    return remedy;
  }
}
