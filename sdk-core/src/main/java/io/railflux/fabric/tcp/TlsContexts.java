package io.railflux.fabric.tcp;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import io.railflux.exceptions.FabricUnavailableException;
import io.railflux.fabric.Protection;
import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/** TLS 1.3 for the connections of one fabric. A separate thread computes signatures. */
final class TlsContexts {

  private static final String VERSION = "TLSv1.3";
  private static final long IDLE_SECONDS = 5;
  private static final int PAGE_BYTES = 8 * 1024;
  private static final int PAGES_LOG2 = 6;
  private static final int CACHED = 16;

  /** Used by one engine thread, without the locks of a shared allocator. */
  private final ByteBufAllocator allocator =
      new PooledByteBufAllocator(true, 1, 1, PAGE_BYTES, PAGES_LOG2, CACHED, CACHED, false);

  private final ExecutorService signing;
  private final SslContext accepting;
  private final SslContext connecting;
  private final boolean mutual;

  private TlsContexts(SslContext accepting, SslContext connecting, boolean mutual) {
    this.mutual = mutual;
    this.accepting = accepting;
    this.connecting = connecting;
    ThreadPoolExecutor one = new ThreadPoolExecutor(
        1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
          Thread thread = new Thread(task, "railflux-tls");
          thread.setDaemon(true);
          return thread;
        });
    one.allowCoreThreadTimeOut(true);
    this.signing = one;
  }

  /** @throws FabricUnavailableException if a file cannot be used; the message names the file and the cause */
  static TlsContexts of(Tls tls) {
    if (tls.requiresClientCertificates() && tls.trusted().isEmpty()) {
      throw new FabricUnavailableException(
          TcpFabricProvider.NAME,
          "client certificates are required, but no authority is set: the authorities of the JVM certify any host",
          "set yours with Tls.trust(...)");
    }
    try {
      return new TlsContexts(accepting(tls), connecting(tls), tls.requiresClientCertificates());
    } catch (SSLException | IllegalArgumentException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new FabricUnavailableException(
          TcpFabricProvider.NAME,
          "TLS cannot use its files " + files(tls) + ": " + cause.getMessage(),
          "name certificates and a PKCS#8 key without a password, in PEM form and readable",
          e);
    }
  }

  private static String files(Tls tls) {
    String identity =
        tls.certificates().map(path -> path + ", " + tls.privateKey()).orElse("(no identity)");
    return identity + tls.trusted().map(path -> ", " + path).orElse("");
  }

  private static SslContext accepting(Tls tls) throws SSLException {
    if (tls.certificates().isEmpty()) {
      return null;
    }
    SslContextBuilder builder =
        SslContextBuilder.forServer(file(tls.certificates().get()), file(tls.privateKey()));
    tls.trusted().ifPresent(path -> builder.trustManager(file(path)));
    return builder
        .sslProvider(SslProvider.JDK)
        .protocols(VERSION)
        .clientAuth(tls.requiresClientCertificates() ? ClientAuth.REQUIRE : ClientAuth.NONE)
        .build();
  }

  private static SslContext connecting(Tls tls) throws SSLException {
    SslContextBuilder builder = SslContextBuilder.forClient();
    tls.trusted().ifPresent(path -> builder.trustManager(file(path)));
    tls.certificates().ifPresent(path -> builder.keyManager(file(path), file(tls.privateKey())));
    return builder
        .sslProvider(SslProvider.JDK)
        .protocols(VERSION)
        .endpointIdentificationAlgorithm("HTTPS")
        .build();
  }

  private static File file(Path path) {
    return path.toFile();
  }

  /** Returns the protection of accepted connections. */
  Protection protectionOfAccepted() {
    return mutual ? Protection.TLS_MUTUAL : Protection.TLS;
  }

  ByteBufAllocator allocator() {
    return allocator;
  }

  /** Whether this node has an identity to listen with. */
  boolean canAccept() {
    return accepting != null;
  }

  SslHandler accept() {
    return accepting.newHandler(allocator, signing);
  }

  /** The certificate of the other side must name {@code host}. */
  SslHandler connect(String host, int port) {
    return connecting.newHandler(allocator, host, port, signing);
  }

  static Protection protection(SSLSession session) {
    boolean own = session.getLocalCertificates() != null;
    try {
      boolean theirs = session.getPeerCertificates().length > 0;
      return own && theirs ? Protection.TLS_MUTUAL : Protection.TLS;
    } catch (SSLPeerUnverifiedException e) {
      return Protection.TLS;
    }
  }

  void close() {
    signing.shutdownNow();
  }
}
