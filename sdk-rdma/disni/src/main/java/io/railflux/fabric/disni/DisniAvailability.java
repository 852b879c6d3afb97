package io.railflux.fabric.disni;

import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaProvider;
import io.railflux.fabric.Availability;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Whether DiSNI works on this host. Opens no device. If all other requirements are met, the library is loaded.
 *
 * @param operatingSystem name of the operating system
 * @param libraryPath directories of native libraries
 * @param opened whether the JVM permits DiSNI to read addresses of direct buffers
 * @param devices directory in which the kernel lists RDMA devices
 * @param nodes directory of the device files
 */
record DisniAvailability(
    String operatingSystem, String libraryPath, boolean opened, Path devices, Path nodes) {

  static final String FLAG = "--add-exports java.base/sun.nio.ch=ALL-UNNAMED";

  private static final String ELSEWHERE = "use another fabric that doctor lists as available";
  private static final String SOFT_ROCE =
      "load the card's driver, or try it out by: rdma link add rxe0 type rxe netdev <interface>";
  private static final String CHANNEL_ADAPTER = "1:";

  static DisniAvailability ofThisHost() {
    return new DisniAvailability(
        System.getProperty("os.name", ""),
        System.getProperty("java.library.path", ""),
        Object.class.getModule().isExported("sun.nio.ch", RdmaCm.class.getModule()),
        Path.of("/sys/class/infiniband"),
        Path.of("/dev/infiniband"));
  }

  Availability check() {
    if (!"Linux".equals(operatingSystem)) {
      return Availability.no("DiSNI needs Linux, this is " + operatingSystem, ELSEWHERE);
    }
    String library = System.mapLibraryName("disni");
    if (!isFound(library)) {
      return Availability.no(
          library + " is in no directory of java.library.path",
          "build it from the source of DiSNI 2.1 and start Java with -Djava.library.path=<where it is>");
    }
    if (!opened) {
      return Availability.no(
          "Java denies DiSNI access to addresses of buffers", "start Java with " + FLAG);
    }
    try {
      Availability trouble = checkDevices();
      return trouble != null ? trouble : load();
    } catch (IOException e) {
      return Availability.no("cannot look for RDMA devices: " + e.getMessage(), ELSEWHERE);
    }
  }

  private boolean isFound(String library) {
    for (String directory : libraryPath.split(File.pathSeparator, -1)) {
      if (Files.isReadable(Path.of(directory.isEmpty() ? "." : directory, library))) {
        return true;
      }
    }
    return false;
  }

  /** Returns the missing requirement; null without any. */
  private Availability checkDevices() throws IOException {
    if (names(devices, "*").isEmpty()) {
      return Availability.no("no RDMA device is in " + devices, SOFT_ROCE);
    }
    if (usable().isEmpty()) {
      return Availability.no(
          "of the RDMA devices " + names(devices, "*") + " none is InfiniBand or RoCE", SOFT_ROCE);
    }
    Path manager = nodes.resolve("rdma_cm");
    if (!Files.exists(manager)) {
      return Availability.no(
          manager + " does not exist",
          "load the connection manager: modprobe rdma_ucm; for a container: --device " + nodes);
    }
    List<String> verbs = names(nodes, "uverbs*");
    if (verbs.isEmpty()) {
      return Availability.no(
          nodes + "/uverbs* does not exist",
          "load it: modprobe ib_uverbs; for a container: --device " + nodes);
    }
    for (String node : concat("rdma_cm", verbs)) {
      Path path = nodes.resolve(node);
      if (!Files.isReadable(path) || !Files.isWritable(path)) {
        return Availability.no(
            "this user may not open " + path, "give the user read and write access to it");
      }
    }
    return null;
  }

  /** iWARP lacks immediate data, which this fabric needs. */
  private List<String> usable() throws IOException {
    List<String> usable = new ArrayList<>();
    for (String device : names(devices, "*")) {
      Path type = devices.resolve(device).resolve("node_type");
      if (Files.isReadable(type) && Files.readString(type).startsWith(CHANNEL_ADAPTER)) {
        usable.add(device);
      }
    }
    return usable;
  }

  private Availability load() throws IOException {
    try {
      RdmaProvider.provider();
    } catch (IOException | LinkageError e) {
      return Availability.no(
          System.mapLibraryName("disni") + " cannot be used: " + firstLine(e),
          "build it from the source of DiSNI 2.1 on this machine; it needs librdmacm and libibverbs");
    }
    return Availability.yes("devices " + String.join(", ", usable()));
  }

  private static String firstLine(Throwable failure) {
    return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
  }

  private static List<String> concat(String first, List<String> others) {
    List<String> all = new ArrayList<>(others);
    all.add(0, first);
    return all;
  }

  private static List<String> names(Path directory, String glob) throws IOException {
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, glob)) {
        files.forEach(file -> names.add(file.getFileName().toString()));
      }
    }
    names.sort(null);
    return names;
  }
}
