package io.railflux.engine.connect;

import io.railflux.crypto.Secret;
import io.railflux.security.SecretSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The currently valid secrets. Each handshake queries the source, so secrets can change without a restart. If the
 * source fails, the last known secrets stay valid. Engine thread only.
 */
public final class Secrets {

  private static final Logger LOG = LoggerFactory.getLogger(Secrets.class);

  private final SecretSource source;
  private List<String> texts = List.of();
  private List<Secret> secrets = List.of();
  private boolean failing;

  /** @param source the source of secrets; null if there are none */
  Secrets(SecretSource source) {
    this.source = source;
  }

  /** Returns whether peers must know a secret. */
  boolean areNeeded() {
    return source != null;
  }

  /** Returns the secret to connect with; null if there is none, whatever the configuration planned. */
  Secret first() {
    refresh();
    return secrets.isEmpty() ? null : secrets.get(0);
  }

  /** Returns the valid secret with the id, or null. */
  Secret byId(long id) {
    refresh();
    for (Secret secret : secrets) {
      if (secret.id() == id) {
        return secret;
      }
    }
    return null;
  }

  private void refresh() {
    if (source == null) {
      return;
    }
    try {
      List<String> found = source.secrets();
      if (!found.equals(texts)) {
        secrets = found.stream().map(Secret::new).toList();
        texts = List.copyOf(found);
      }
      failing = false;
    } catch (RuntimeException e) {
      if (!failing) {
        failing = true;
        LOG.warn("secrets cannot be read; the last known secrets stay valid: {}", e.getMessage());
      }
    }
  }
}
