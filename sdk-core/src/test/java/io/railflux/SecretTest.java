package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.railflux.exceptions.BindFailedException;
import io.railflux.exceptions.PeerUnreachableException;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.FabricContext;
import io.railflux.fabric.FabricProvider;
import io.railflux.fabric.Protection;
import io.railflux.fabric.shm.ShmFabricProvider;
import io.railflux.message.Codecs;
import io.railflux.metrics.RailfluxMeter;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Nodes with a secret, through the public API, over shared memory. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class SecretTest {

  private static final SecretSource SECRET =
      SecretSource.callback(() -> "a secret of the tests, long enough");

  private static final SecretSource OTHER =
      SecretSource.callback(() -> "another secret, long enough as well");

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private Node bound(UnaryOperator<Railflux> change, String address) {
    Node server = nodes.start("server", change);
    server.bind(address).block(Nodes.PATIENCE);
    return server;
  }

  @ParameterizedTest
  @EnumSource(Encryption.class)
  void streamsFlowWithACommonSecret(Encryption encryption) {
    UnaryOperator<Railflux> secured = c -> c.secret(SECRET).encryption(encryption);
    String address = nodes.newAddress();
    Node server = bound(secured, address);
    Nodes.Pair pair = nodes.join(server, nodes.start("client", secured), address);
    List<Integer> numbers = IntStream.range(0, 10_000).boxed().toList();
    var both = Mono.zip(
        pair.toClient().receive("numbers", Codecs.int32()).collectList(),
        pair.toServer()
            .send("numbers", Codecs.int32(), Flux.fromIterable(numbers))
            .thenReturn(true));
    assertEquals(numbers, both.block(Nodes.PATIENCE).getT1());
  }

  private void assertRejected(UnaryOperator<Railflux> server, UnaryOperator<Railflux> client) {
    String address = nodes.newAddress();
    SimpleMeterRegistry meters = new SimpleMeterRegistry();
    bound(c -> server.apply(c).meterRegistry(meters), address);
    Node stranger = nodes.start("stranger", client);
    assertThrows(
        PeerUnreachableException.class, () -> stranger.connect(address).block(Nodes.PATIENCE));
    await()
        .until(() -> meters
                .get(RailfluxMeter.HANDSHAKES_REFUSED.meterName())
                .functionCounter()
                .count()
            >= 1);
  }

  @Test
  void peerWithAnotherOrNoSecretIsRejectedAndCounted() {
    assertRejected(c -> c.secret(SECRET), c -> c.secret(OTHER));
    assertRejected(c -> c.secret(SECRET), c -> c);
    assertRejected(c -> c, c -> c.secret(SECRET));
  }

  @Test
  void nodeWithoutSecretDoesNotListenOnANetwork() {
    FabricProvider open = openTo(new ShmFabricProvider(leaks.directory()));
    Node node = nodes.start("open", c -> c.fabrics(open));
    BindFailedException refused = assertThrows(
        BindFailedException.class, () -> node.bind(nodes.newAddress()).block(Nodes.PATIENCE));
    assertTrue(refused.getMessage().contains("Railflux.secret"), refused.getMessage());
    assertTrue(refused.getMessage().contains("allowUnauthenticated"), refused.getMessage());

    Node permitted = nodes.start("permitted", c -> c.fabrics(open).allowUnauthenticated());
    permitted.bind(nodes.newAddress()).block(Nodes.PATIENCE);
    Node secured = nodes.start("secured", c -> c.fabrics(open).secret(SECRET));
    secured.bind(nodes.newAddress()).block(Nodes.PATIENCE);
  }

  /** The same fabric, declared as a network. */
  private static FabricProvider openTo(FabricProvider sound) {
    return answering(
        FabricProvider.class,
        sound,
        "open",
        context -> answering(
            Fabric.class,
            sound.open((FabricContext) context),
            "protectionAt",
            location -> Protection.NONE));
  }

  private static <T> T answering(
      Class<T> type, T sound, String method, UnaryOperator<Object> answer) {
    return type.cast(Proxy.newProxyInstance(
        type.getClassLoader(), new Class<?>[] {type}, (proxy, called, arguments) -> {
          if (called.getName().equals(method)) {
            return answer.apply(arguments[0]);
          }
          try {
            return called.invoke(sound, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        }));
  }
}
