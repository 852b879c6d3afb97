package io.railflux.fabric.verbs.internal;

/** Error numbers of Linux that this fabric distinguishes. */
public final class Errno {

  public static final int EPERM = 1;
  public static final int EAGAIN = 11;
  public static final int ENOMEM = 12;
  public static final int EACCES = 13;
  public static final int ENODEV = 19;
  public static final int EINVAL = 22;
  public static final int EADDRINUSE = 98;
  public static final int EADDRNOTAVAIL = 99;
  public static final int ENETUNREACH = 101;
  public static final int ETIMEDOUT = 110;
  public static final int ECONNREFUSED = 111;
  public static final int EHOSTUNREACH = 113;

  private Errno() {}

  /** Returns text and number. */
  public static String text(int errno) {
    String words = switch (errno) {
      case EPERM -> "operation not permitted";
      case EAGAIN -> "resource temporarily unavailable";
      case ENOMEM -> "cannot allocate or lock memory";
      case EACCES -> "permission denied";
      case ENODEV -> "no such device";
      case EINVAL -> "invalid argument";
      case EADDRINUSE -> "address already in use";
      case EADDRNOTAVAIL -> "address of no RDMA device here";
      case ENETUNREACH -> "network is unreachable";
      case ETIMEDOUT -> "timed out";
      case ECONNREFUSED -> "connection refused";
      case EHOSTUNREACH -> "no route to host";
      default -> "error";
    };
    return words + " (" + errno + ")";
  }
}
