package io.railflux.engine.connect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.engine.Engine;
import io.railflux.engine.TwoEngines;
import io.railflux.engine.base.Rail;
import io.railflux.engine.base.SessionMemory;
import io.railflux.engine.base.StreamFailure;
import io.railflux.engine.path.Subchannel;
import io.railflux.fabric.Endpoint;
import io.railflux.fabric.EndpointState;
import io.railflux.fabric.Protection;
import io.railflux.fabric.sim.SimConfig;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events of endpoints, and failures during their handling. */
class EndpointRegistryTest {

  private StreamFailure ended;

  /** Otherwise the fabric would unmap memory that the reader of a ring uses. */
  @Test
  void localFailureEndsTheSessionOfTheEndpoint() {
    TwoEngines engines = TwoEngines.connected(SimConfig.mapped());
    engines.nearChannel.onEnd(failure -> ended = failure);
    Subchannel subchannel = engines.nearChannel.live().get(0);

    engines.near.run(() -> engines
        .near
        .engine()
        .connections()
        .handshakes(subchannel.rail)
        .onCompletion(subchannel.endpoint, null));

    engines.await(() -> ended != null);
    assertEquals(StreamFailure.Kind.LOST, ended.kind());
  }

  @ParameterizedTest
  @ValueSource(strings = {"protection", "postReceive"})
  void acceptedEndpointIsClosedIfItsHandshakeCannotBegin(String failing) {
    TwoEngines engines = TwoEngines.connected(SimConfig.tcp());
    Engine far = engines.far.engine();
    Rail rail = far.rails().get(0);
    List<String> calls = new ArrayList<>();
    Endpoint endpoint = (Endpoint) Proxy.newProxyInstance(
        Endpoint.class.getClassLoader(),
        new Class<?>[] {Endpoint.class},
        (self, method, arguments) -> {
          calls.add(method.getName());
          if (method.getName().equals(failing)) {
            throw new OutOfMemoryError("Direct buffer memory");
          }
          return switch (method.getName()) {
            case "id" -> 4711L;
            case "remoteDescription", "remoteHost" -> "a peer";
            case "protection" -> Protection.NONE;
            case "fence", "close" -> null;
            default -> throw new UnsupportedOperationException(method.getName());
          };
        });
    engines.far.run(() -> far.connections().handshakes(rail).onConnected(endpoint, -1));
    engines.await(() -> calls.contains("close"));

    assertEquals(1, far.refusals().handshakes());
    assertEquals(1, TwoEngines.live(engines.farChannel));
  }

  @Test
  void attemptWithoutMemoryFailsAndItsEndpointIsClosed() {
    TwoEngines engines = TwoEngines.apart(TwoEngines.Setting.of(SimConfig.tcp()));
    Rail.Target target = engines.targets().get(0);
    Unable dial = new Unable();
    engines.near.run(() -> engines
        .near
        .engine()
        .connections()
        .handshakes(target.rail())
        .connect(target.location(), dial));
    engines.await(() -> dial.reported != null);

    assertTrue(dial.reported.contains("Direct buffer memory"), dial.reported);
    assertEquals(EndpointState.CLOSED, dial.endpoint.state());
  }

  private static final class Unable implements EndpointRegistry.Dial {

    private Endpoint endpoint;
    private String reported;

    @Override
    public boolean isObsolete() {
      return false;
    }

    @Override
    public Handshake handshake(
        Connections connections,
        Rail rail,
        Endpoint connected,
        SessionMemory.HandshakeMemory messages) {
      endpoint = connected;
      throw new OutOfMemoryError("Direct buffer memory");
    }

    @Override
    public void failed(String reason) {
      reported = reason;
    }

    @Override
    public void nodeLeaves(String reason) {}
  }
}
