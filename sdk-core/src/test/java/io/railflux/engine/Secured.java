package io.railflux.engine;

import io.railflux.engine.base.Security;
import io.railflux.fabric.sim.SimConfig;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;

/** Settings of two engines with a secret. */
public final class Secured {

  static final String SECRET = "a secret of the tests, of 32 bytes";
  static final String OTHER = "another secret, which is as long.";

  /** With the secret. Frames are sealed over an open network. */
  public static final Security KNOWS =
      Security.DEFAULT.withSecrets(SecretSource.callback(() -> SECRET));

  public static final Security SEALS = KNOWS.withEncryption(Encryption.ALWAYS);

  static final Security KNOWS_ANOTHER =
      Security.DEFAULT.withSecrets(SecretSource.callback(() -> OTHER));

  private Secured() {}

  public static TwoEngines.Setting setting(SimConfig network, Security near, Security far) {
    return TwoEngines.Setting.of(network).with(near, far);
  }

  static TwoEngines connected(SimConfig network, Security both) {
    return TwoEngines.connected(setting(network, both, both));
  }
}
