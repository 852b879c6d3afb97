package io.railflux.engine;

import io.railflux.crypto.Secret;
import io.railflux.security.SecretSource;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The secrets valid now: the source is asked at every handshake, which is how they change without a
 * restart. When it fails, those known before stay valid. Engine thread only.
 */
final class Secrets {

  private static final Logger LOG = LoggerFactory.getLogger(Secrets.class);

  private final SecretSource source;
  private List<String> texts = List.of();
  private List<Secret> secrets = List.of();
  private boolean failing;

  /** @param source null: there are none */
  Secrets(SecretSource source) {
    this.source = source;
  }

  /** Whether peers have to know a secret. */
  boolean areNeeded() {
    return source != null;
  }

  /** The one to connect with; null when there is none, whatever was planned. */
  Secret first() {
    refresh();
    return secrets.isEmpty() ? null : secrets.get(0);
  }

  /** The valid one with that id, or null. */
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
        LOG.warn("secrets cannot be read, those known before stay valid: {}", e.getMessage());
      }
    }
  }
}
