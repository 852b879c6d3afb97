package io.railflux.samples.cli.netlab;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Creates a certificate for the addresses of both hosts by the JDK's keytool, in the format of {@code --tls}. */
final class Certificates {

  private static final String ALIAS = "netlab";
  private static final int LINE = 64;

  private Certificates() {}

  /** Writes cert.pem and key.pem. */
  static void write(Path directory, int rails) {
    Path store = directory.resolve("store.p12");
    String password = UUID.randomUUID().toString();
    Ip.run(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        "-genkeypair",
        "-alias",
        ALIAS,
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-dname",
        "CN=railflux-netlab",
        "-ext",
        "san=" + names(rails),
        "-validity",
        "2",
        "-storetype",
        "PKCS12",
        "-storepass",
        password,
        "-keystore",
        store.toString());
    try (InputStream in = Files.newInputStream(store)) {
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(in, password.toCharArray());
      pem(directory, "cert.pem", "CERTIFICATE", keys.getCertificate(ALIAS).getEncoded());
      byte[] key = keys.getKey(ALIAS, password.toCharArray()).getEncoded();
      pem(directory, "key.pem", "PRIVATE KEY", key);
    } catch (IOException | GeneralSecurityException e) {
      throw new CommandFailure("cannot make a certificate: " + e.getMessage(), e);
    }
  }

  private static String names(int rails) {
    return IntStream.range(0, rails)
        .mapToObj(rail -> "ip:" + Cable.nearAddress(rail) + ",ip:" + Cable.farAddress(rail))
        .collect(Collectors.joining(","));
  }

  private static void pem(Path directory, String name, String what, byte[] bytes)
      throws IOException {
    String text = Base64.getMimeEncoder(LINE, new byte[] {'\n'}).encodeToString(bytes);
    var onlyOwner =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    Path file = Files.createFile(directory.resolve(name), onlyOwner);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }
}
