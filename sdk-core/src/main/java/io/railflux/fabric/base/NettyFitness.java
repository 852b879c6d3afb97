package io.railflux.fabric.base;

import io.netty.util.Version;
import io.railflux.fabric.Availability;

/**
 * Whether the Netty on the class path can drive an engine. Frameworks pin versions of Netty: Spring Boot 3.5 pins
 * 4.1, which has no event loop that another thread can drive.
 */
public final class NettyFitness {

  /** Version that this build is tested with. */
  static final String RECOMMENDED = "4.2.18.Final";

  private static final String NEEDED = "TCP needs Netty 4.2.1 or later";

  private static final String REMEDY = "set <netty.version>" + RECOMMENDED
      + "</netty.version> in the properties of a pom with Spring Boot's parent, or import railflux-bom"
      + " before other BOMs";

  private static final Availability HERE = check(NettyFitness.class.getClassLoader());

  private NettyFitness() {}

  /** Returns the result for this class path, constant during the life of the JVM. Any thread. */
  public static Availability here() {
    return HERE;
  }

  /** One class of each required artifact; a class of Netty 4.2 where 4.1 has the artifact too. */
  private enum Needed {
    COMMON("netty-common", "io.netty.util.concurrent.Ticker"),
    BUFFER("netty-buffer", "io.netty.buffer.ByteBuf"),
    TRANSPORT("netty-transport", "io.netty.channel.ManualIoEventLoop"),
    UNIX("netty-transport-native-unix-common", "io.netty.channel.unix.UnixChannel"),
    EPOLL("netty-transport-classes-epoll", "io.netty.channel.epoll.EpollIoHandler"),
    HANDLER("netty-handler", "io.netty.handler.ssl.SslHandler");

    private final String artifact;
    private final String className;

    Needed(String artifact, String className) {
      this.artifact = artifact;
      this.className = className;
    }
  }

  private static Availability check(ClassLoader loader) {
    for (Needed needed : Needed.values()) {
      try {
        Class<?> found = Class.forName(needed.className, false, loader);
        if (needed == Needed.TRANSPORT && !sleepsInTime(found)) {
          return unfit(needed);
        }
      } catch (ClassNotFoundException | LinkageError e) {
        return unfit(needed);
      }
    }
    return Availability.yes("sockets of this JVM, by way of Netty");
  }

  /** The loop of 4.2.0 takes a longest duration for a deadline; that of 4.2.1 also accepts a clock. */
  private static boolean sleepsInTime(Class<?> loop) {
    for (var constructor : loop.getConstructors()) {
      if (constructor.getParameterCount() == 4) {
        return true;
      }
    }
    return false;
  }

  private static Availability unfit(Needed needed) {
    String version = versionOf(needed.artifact);
    if (!version.isEmpty()) {
      return Availability.no(
          NEEDED + ", and the class path has " + needed.artifact + " " + version, REMEDY);
    }
    String missing = needed == Needed.COMMON ? "Netty" : needed.artifact;
    return Availability.no(
        NEEDED + ", and " + missing + " is not on the class path",
        "depend on io.netty:netty-handler and io.netty:netty-transport-classes-epoll "
            + RECOMMENDED);
  }

  /** Empty if the artifact is missing; its own properties contain the version. */
  private static String versionOf(String artifact) {
    try {
      Version found = Version.identify(NettyFitness.class.getClassLoader()).get(artifact);
      return found == null ? "" : found.artifactVersion();
    } catch (LinkageError noNetty) {
      return "";
    }
  }
}
