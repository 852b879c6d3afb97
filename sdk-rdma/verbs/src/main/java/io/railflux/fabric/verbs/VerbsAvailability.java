package io.railflux.fabric.verbs;

import io.railflux.fabric.Availability;
import io.railflux.fabric.verbs.internal.NativeLibrary;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Whether RDMA devices can be used on this host. Opens no device.
 *
 * @param root directory of {@code /sys}, {@code /proc} and {@code /dev}
 * @param operatingSystem name of the operating system
 * @param architecture name of the architecture
 * @param libraries loads a library; replaced in tests
 */
record VerbsAvailability(Path root, String operatingSystem, String architecture, Loader libraries) {

  static final String MEMORY_LOCK_REMEDY = "raise the limit of locked memory: ulimit -l unlimited,"
      + " LimitMEMLOCK=infinity in a systemd unit, --ulimit memlock=-1 for a container";

  static final String PERMISSION_REMEDY = "let this user read and write /dev/infiniband"
      + " (group rdma or a udev rule; --device=/dev/infiniband for a container)";

  private static final long MIN_LOCKED_BYTES = 16L << 20;
  private static final int CAP_IPC_LOCK = 14;
  private static final String INSTALL = "install it: apt-get install libibverbs1 librdmacm1"
      + " ibverbs-providers, or dnf install rdma-core";

  /** Loads a library, like {@link NativeLibrary#load}. */
  interface Loader {
    void load(NativeLibrary library);
  }

  static VerbsAvailability ofThisHost() {
    return new VerbsAvailability(
        Path.of("/"),
        System.getProperty("os.name", ""),
        System.getProperty("os.arch", ""),
        NativeLibrary::load);
  }

  Availability check() {
    try {
      for (Check check : List.<Check>of(
          this::machine,
          this::loading,
          this::versions,
          this::device,
          this::permission,
          this::memory)) {
        Optional<Availability> objection = check.objection();
        if (objection.isPresent()) {
          return objection.get();
        }
      }
      return Availability.yes(String.join(", ", devices()) + " through "
          + version(NativeLibrary.IBVERBS).orElseThrow());
    } catch (IOException e) {
      return Availability.no("cannot examine " + e.getMessage(), PERMISSION_REMEDY);
    }
  }

  private interface Check {
    Optional<Availability> objection() throws IOException;
  }

  private static Optional<Availability> no(String reason, String remedy) {
    return Optional.of(Availability.no(reason, remedy));
  }

  private Optional<Availability> machine() {
    boolean known = architecture.equals("amd64") || architecture.equals("aarch64");
    if ("Linux".equals(operatingSystem)
        && known
        && ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN) {
      return Optional.empty();
    }
    return no(
        "verbs need Linux on x86-64 or AArch64, this is " + operatingSystem + " on " + architecture,
        "use another fabric that doctor lists as available");
  }

  private Optional<Availability> loading() {
    for (NativeLibrary library : NativeLibrary.values()) {
      try {
        libraries.load(library);
      } catch (IllegalArgumentException e) {
        return no(library.fileName() + " is not installed", INSTALL);
      } catch (IllegalCallerException e) {
        return no(
            "this JVM forbids native access",
            "start it with --enable-native-access=ALL-UNNAMED, on the module path with"
                + " --enable-native-access=io.railflux.rdma.verbs");
      }
    }
    return Optional.empty();
  }

  private Optional<Availability> versions() throws IOException {
    for (NativeLibrary library : NativeLibrary.values()) {
      Optional<LibraryVersion> found = version(library);
      if (found.isEmpty()) {
        return no("cannot determine the version of " + library.fileName(), LibraryVersion.REMEDY);
      }
      if (!found.get().isKnown()) {
        return no(
            found.get().file() + " is of " + found.get()
                + ", which this version of Railflux does not support",
            LibraryVersion.REMEDY);
      }
    }
    return Optional.empty();
  }

  private Optional<LibraryVersion> version(NativeLibrary library) throws IOException {
    try (Stream<String> maps = Files.lines(root.resolve("proc/self/maps"))) {
      return LibraryVersion.find(maps, library.fileName().replaceFirst("\\.1$", ""));
    }
  }

  private Optional<Availability> device() throws IOException {
    if (devices().isEmpty()) {
      return no(
          "this host has no RDMA device",
          "load the driver of the network card, or try soft-RoCE: modprobe rdma_rxe &&"
              + " rdma link add rxe0 type rxe netdev eth0");
    }
    if (activePorts() == 0) {
      return no(
          "no port of " + String.join(", ", devices()) + " is active",
          "check cables and ip link set <interface> up; rdma link shows the state");
    }
    if (!Files.exists(root.resolve("dev/infiniband/rdma_cm"))) {
      return no("/dev/infiniband/rdma_cm does not exist", "modprobe rdma_ucm");
    }
    return Optional.empty();
  }

  private List<String> devices() throws IOException {
    Path all = root.resolve("sys/class/infiniband");
    if (!Files.isDirectory(all)) {
      return List.of();
    }
    try (Stream<Path> entries = Files.list(all)) {
      return entries.map(path -> path.getFileName().toString()).sorted().toList();
    }
  }

  private long activePorts() throws IOException {
    long active = 0;
    for (String device : devices()) {
      Path ports = root.resolve("sys/class/infiniband").resolve(device).resolve("ports");
      try (Stream<Path> entries = Files.list(ports)) {
        for (Path port : entries.toList()) {
          active += Files.readString(port.resolve("state")).contains("ACTIVE") ? 1 : 0;
        }
      }
    }
    return active;
  }

  private Optional<Availability> permission() throws IOException {
    try (Stream<Path> entries = Files.list(root.resolve("dev/infiniband"))) {
      return entries
          .filter(path -> path.getFileName().toString().matches("uverbs\\d+|rdma_cm"))
          .filter(path -> !Files.isReadable(path) || !Files.isWritable(path))
          .sorted()
          .findFirst()
          .flatMap(path -> no("no permission to open " + path, PERMISSION_REMEDY));
    }
  }

  private Optional<Availability> memory() throws IOException {
    long limit = lockedMemoryLimit();
    return limit >= MIN_LOCKED_BYTES || mayLockAnything()
        ? Optional.empty()
        : no("only " + (limit >> 10) + " KiB of memory may be locked", MEMORY_LOCK_REMEDY);
  }

  private long lockedMemoryLimit() throws IOException {
    try (Stream<String> limits = Files.lines(root.resolve("proc/self/limits"))) {
      return limits
          .filter(line -> line.startsWith("Max locked memory"))
          .map(line -> line.substring("Max locked memory".length()).strip().split("\\s+", 2)[0])
          .mapToLong(soft -> soft.equals("unlimited") ? Long.MAX_VALUE : Long.parseLong(soft))
          .findFirst()
          .orElse(Long.MAX_VALUE);
    }
  }

  private boolean mayLockAnything() throws IOException {
    try (Stream<String> status = Files.lines(root.resolve("proc/self/status"))) {
      return status
          .filter(line -> line.startsWith("CapEff:"))
          .mapToLong(line -> Long.parseUnsignedLong(line.substring(7).strip(), 16))
          .anyMatch(capabilities -> (capabilities >>> CAP_IPC_LOCK & 1) != 0);
    }
  }
}
