package io.railflux.exceptions;

import org.jspecify.annotations.Nullable;

/**
 * A fabric cannot be used on this host, or was not opened by this node. A node whose configuration has further
 * fabrics starts without the unavailable ones and logs reason and remedy instead.
 */
public final class FabricUnavailableException extends RailfluxException {

  private static final long serialVersionUID = 1L;

  private final String fabric;
  private final String reason;
  private final String remedy;

  /**
   * Creates the exception without a cause.
   *
   * @param fabric short name of the fabric, such as {@code shm}
   * @param reason the missing requirement, without a full stop
   * @param remedy the action that provides it, without a full stop
   */
  public FabricUnavailableException(String fabric, String reason, String remedy) {
    this(fabric, reason, remedy, null);
  }

  /**
   * Creates the exception.
   *
   * @param fabric short name of the fabric, such as {@code shm}
   * @param reason the missing requirement, without a full stop
   * @param remedy the action that provides it, without a full stop
   * @param cause failure that revealed the missing requirement; null without one
   */
  public FabricUnavailableException(
      String fabric, String reason, String remedy, @Nullable Throwable cause) {
    super("fabric " + fabric + " is unavailable: " + reason + "; " + remedy, cause);
    this.fabric = fabric;
    this.reason = reason;
    this.remedy = remedy;
  }

  /**
   * Returns the fabric.
   *
   * @return short name of the fabric, such as {@code shm}; several names are separated by commas
   */
  public String fabric() {
    return fabric;
  }

  /**
   * Returns the missing requirement.
   *
   * @return the reason, without a full stop
   */
  public String reason() {
    return reason;
  }

  /**
   * Returns the action that makes the fabric available.
   *
   * @return the remedy, without a full stop
   */
  public String remedy() {
    return remedy;
  }
}
