package io.railflux.fabric.tcp;

import io.railflux.fabric.Availability;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricContract;
import io.railflux.fabric.FabricFixture;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.RealFixture;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

/** The contract of TCP, over TLS. */
public class TlsContractTest extends FabricContract {

  private static final String DIRECTORY = "railflux.test.certificates";

  @TempDir
  static Path directory;

  @BeforeAll
  static void makeCertificates() throws Exception {
    new Certificates(directory, "authority").identity("node", "127.0.0.1", "127.0.0.2");
    try (var files = Files.list(directory)) {
      Path authority = files
          .filter(f -> f.getFileName().toString().startsWith("authority"))
          .findFirst()
          .get();
      Files.copy(authority, directory.resolve("trusted.pem"));
    }
    System.setProperty(DIRECTORY, directory.toString());
  }

  @AfterAll
  static void forgetThem() {
    System.clearProperty(DIRECTORY);
  }

  @Override
  protected FabricFixture openFixture() throws Exception {
    return new RealFixture(new ByTls(), number -> TcpFabricContractTest.freeLocation());
  }

  /** Public, because the killed process instantiates it. */
  public static final class ByTls implements FabricProvider {

    private final TcpFabricProvider tcp;

    /** Called in the killed process. */
    public ByTls() {
      Path files = Path.of(System.getProperty(DIRECTORY));
      tcp = new TcpFabricProvider()
          .tls(Tls.create()
              .identity(files.resolve("node.pem"), files.resolve("node.key"))
              .trust(files.resolve("trusted.pem"))
              .requireClientCertificates());
    }

    @Override
    public String name() {
      return tcp.name();
    }

    @Override
    public Availability availability() {
      return tcp.availability();
    }

    @Override
    public Fabric open(FabricContext context) {
      return tcp.open(context);
    }
  }
}
