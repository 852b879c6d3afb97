package io.railflux.samples.bench.peers;

import io.railflux.samples.cli.shell.CommandFailure;
import java.io.IOException;
import java.util.Optional;
import org.openucx.jucx.ucs.UcsConstants;

/** UCX through its Java binding, if installed: tagged messages and spinning threads. */
final class UcxContender implements Contender {

  static final String SHARED_MEMORY = "shm,self";
  static final String TCP = "tcp";

  private final String transports;

  /**
   * @param transports in the format of {@code UCX_TLS}
   */
  UcxContender(String transports) {
    this.transports = transports;
  }

  /** Returns the reason why UCX is not available, or empty. */
  static Optional<String> absence() {
    try {
      return UcsConstants.MEMORY_TYPE.UCS_MEMORY_TYPE_HOST < 0
          ? Optional.of("UCX does not know the memory of the host")
          : Optional.empty();
    } catch (LinkageError e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      return Optional.of("UCX is not installed: apt-get install libucx0 (" + cause + ")");
    }
  }

  @Override
  public Far serve(Job job) {
    return new UcxFar(connection(), job);
  }

  @Override
  public Near connect(String address, Job job) throws IOException {
    return new UcxNear(connection(), address, job);
  }

  private UcxConnection connection() {
    absence().ifPresent(reason -> {
      throw new CommandFailure(reason);
    });
    return new UcxConnection(transports);
  }
}
