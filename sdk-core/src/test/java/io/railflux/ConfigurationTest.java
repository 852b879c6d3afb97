package io.railflux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.fabric.FabricProvider;
import io.railflux.message.Codecs;
import io.railflux.policy.CreditBackoff;
import io.railflux.policy.Recovery;
import io.railflux.policy.Retransmission;
import io.railflux.policy.StripingPolicy;
import io.railflux.security.Encryption;
import io.railflux.security.SecretSource;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;

/** The error for an invalid value is one sentence with name, range and value. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ConfigurationTest {

  private static final Duration AGES = Duration.ofSeconds(Long.MAX_VALUE);

  @RegisterExtension
  final LeakCheck leaks = new LeakCheck();

  @RegisterExtension
  final Nodes nodes = new Nodes(leaks);

  private static Arguments wrong(UnaryOperator<Railflux> change, String message) {
    return Arguments.of(change, message);
  }

  static Stream<Arguments> wrongValues() {
    return Stream.of(
        wrong(c -> c.name(""), "name must have 1 to 255 bytes of UTF-8, was '' with 0"),
        wrong(
            c -> c.name("é".repeat(200)),
            "name must have 1 to 255 bytes of UTF-8, was '" + "é".repeat(40) + "…' with 400"),
        wrong(
            c -> c.name("\ud800"),
            "name must be valid Unicode, has a surrogate without its partner"),
        wrong(c -> c.name("a\nb"), "name must not have control characters"),
        wrong(Railflux::fabrics, "fabrics must name at least one, named none"),
        wrong(
            c -> c.ringBytes(100_000),
            "ringBytes must be a power of two from 65536 to 1073741824, was 100000"),
        wrong(
            c -> c.ringBytes(-1),
            "ringBytes must be a power of two from 65536 to 1073741824, was -1"),
        wrong(c -> c.maxMessageBytes(0), "maxMessageBytes must be 1 to 1073741824, was 0"),
        wrong(
            c -> c.maxMessageBytes((1 << 30) + 1),
            "maxMessageBytes must be 1 to 1073741824, was 1073741825"),
        wrong(
            c -> c.eagerLimitBytes(-1),
            "eagerLimitBytes must be 0 to 262144, an eighth of ringBytes (2097152), was -1"),
        wrong(
            c -> c.eagerLimitBytes(256 << 10).ringBytes(1 << 20),
            "eagerLimitBytes must be 0 to 131072, an eighth of ringBytes (1048576), was 262144"),
        wrong(c -> c.sendBudgetBytes(1000), "sendBudgetBytes must be at least 65536, was 1000"),
        wrong(c -> c.receiveBudgetBytes(-1), "receiveBudgetBytes must be at least 65536, was -1"),
        wrong(
            c -> c.secret(SecretSource.callback(() -> "short")),
            "secret must be available: the callback for secrets holds a secret of 5 bytes, 16 are needed;"
                + " make one with: openssl rand -base64 32"),
        wrong(
            c -> c.secret(SecretSource.callback(() -> " \n")),
            "secret must be available: the callback for secrets holds no secret; put one into its first"
                + " line"),
        wrong(
            c -> c.secret(SecretSource.environment("RAILFLUX_NO_SUCH_VARIABLE")),
            "secret must be available: environment variable RAILFLUX_NO_SUCH_VARIABLE is not set; set it"
                + " to a secret"),
        wrong(
            c -> c.encryption(Encryption.ALWAYS),
            "encryption ALWAYS needs a secret, there was none"),
        wrong(c -> c.maxStreams(0), "maxStreams must be at least 1, was 0"),
        wrong(c -> c.maxExchanges(-1), "maxExchanges must be at least 1, was -1"),
        wrong(c -> c.maxPeers(0), "maxPeers must be at least 1, was 0"),
        wrong(c -> c.connectionsPerRail(0), "connectionsPerRail must be 1 to 16, was 0"),
        wrong(c -> c.connectionsPerRail(17), "connectionsPerRail must be 1 to 16, was 17"),
        wrong(
            c -> c.detectWithin(Duration.ofNanos(1)),
            "detectWithin must be 1 ms to 365 days, was PT0.000000001S"),
        wrong(
            c -> c.partitionTimeout(AGES),
            "partitionTimeout must be 1 ms to 365 days, was " + AGES),
        wrong(
            c -> c.partitionTimeout(Duration.ofMillis(100)),
            "partitionTimeout must be at least detectWithin (PT0.5S), was PT0.1S"),
        wrong(
            c -> c.recovery(new Recovery(Duration.ofMillis(20), Duration.ofMillis(10))),
            "recovery.maxBackoff must be at least minBackoff (PT0.02S), was PT0.01S"),
        wrong(
            c -> c.recovery(new Recovery(Duration.ZERO, AGES)),
            "recovery.minBackoff must be 1 ms to 365 days, was PT0S;"
                + " recovery.maxBackoff must be 1 ms to 365 days, was " + AGES),
        wrong(
            c -> c.retransmission(new Retransmission(0)),
            "retransmission.maxAttempts must be at least 1, was 0"),
        wrong(
            c -> c.creditBackoff(new CreditBackoff(Duration.ofMillis(-1))),
            "creditBackoff.patience must be 0 to 365 days, was PT-0.001S"),
        wrong(
            c -> c.drainTimeout(Duration.ZERO), "drainTimeout must be 1 ms to 365 days, was PT0S"),
        wrong(
            c -> c.maxSpin(Duration.ofNanos(-1)),
            "maxSpin must be 0 to 365 days, was PT-0.000000001S"),
        wrong(
            c -> c.messageBudgetBytes(1000),
            "messageBudgetBytes must be at least 64 and hold one message of the ring"
                + " (262144), was 1000"),
        wrong(
            c -> c.maxMessageBytes(1).messageBudgetBytes(10),
            "messageBudgetBytes must be at least 64 and hold one message of the ring"
                + " (1), was 10"),
        wrong(c -> c.striping(() -> null), "striping must supply a policy, supplied null"),
        wrong(
            c -> c.propagateContext("traceId", ""),
            "propagateContext must have 1 to 255 bytes of UTF-8, was '' with 0"));
  }

  private static String refusal(Railflux config) {
    Mono<Node> start = config.start();
    return assertThrows(IllegalArgumentException.class, () -> start.block(Nodes.PATIENCE))
        .getMessage();
  }

  @ParameterizedTest
  @MethodSource("wrongValues")
  void reportsAnInvalidValueInOneSentence(UnaryOperator<Railflux> change, String sentence) {
    Railflux config = change.apply(nodes.config("n"));

    String errorText = refusal(config);
    assertTrue(errorText.startsWith("configuration of node '"), errorText);
    assertEquals(
        sentence,
        errorText.substring(errorText.indexOf("': ", "configuration of node '".length()) + 3));
  }

  static Stream<Arguments> nulls() {
    return Stream.of(
        wrong(c -> c.name(null), "name"),
        wrong(c -> c.fabrics((FabricProvider[]) null), "fabrics"),
        wrong(c -> c.fabrics((FabricProvider) null), "fabrics has a null among [null]"),
        wrong(c -> c.detectWithin(null), "detectWithin"),
        wrong(c -> c.partitionTimeout(null), "partitionTimeout"),
        wrong(c -> c.recovery(null), "recovery"),
        wrong(c -> c.retransmission(null), "retransmission"),
        wrong(c -> c.creditBackoff(null), "creditBackoff"),
        wrong(c -> c.drainTimeout(null), "drainTimeout"),
        wrong(c -> c.maxSpin(null), "maxSpin"),
        wrong(c -> c.striping(null), "striping"),
        wrong(c -> c.rendezvous(null), "rendezvous"),
        wrong(c -> c.propagateContext("a", null), "propagateContext has a null among [a, null]"),
        wrong(c -> c.meterRegistry(null), "meterRegistry"));
  }

  @ParameterizedTest
  @MethodSource("nulls")
  void rejectsNullAtTheCall(UnaryOperator<Railflux> change, String message) {
    Railflux config = nodes.config("n");

    assertEquals(
        message,
        assertThrows(NullPointerException.class, () -> change.apply(config)).getMessage());
  }

  @Test
  void reportsAllInvalidOptionsTogether() {
    Railflux config = nodes
        .config("x".repeat(256))
        .ringBytes(100_000)
        .maxMessageBytes(0)
        .maxStreams(0)
        .detectWithin(Duration.ZERO)
        .messageBudgetBytes(10);

    assertEquals(6, refusal(config).split("; ").length);
  }

  @Test
  void smallerLimitOfTwoPeersApplies() {
    Nodes.Pair pair = nodes.pair(config -> config.ringBytes(128 << 10).maxMessageBytes(1000));
    assertEquals(1000, pair.toServer().maxMessageBytes());
    assertEquals(1 << 30, nodes.pair().toServer().maxMessageBytes());
  }

  @Test
  void acceptsTheLargestPermittedValues() {
    Nodes.Pair pair = nodes.pair(config -> config
        .maxStreams(Integer.MAX_VALUE)
        .maxExchanges(Integer.MAX_VALUE)
        .maxPeers(Integer.MAX_VALUE)
        .connectionsPerRail(16)
        .detectWithin(Duration.ofDays(365))
        .partitionTimeout(Duration.ofDays(365))
        .drainTimeout(Duration.ofDays(365))
        .maxSpin(Duration.ZERO)
        .creditBackoff(new CreditBackoff(Duration.ofDays(365)))
        .messageBudgetBytes(Long.MAX_VALUE)
        .striping(StripingPolicy::binding));
    Route<Integer, Integer> square = new Route<>("square", Codecs.int32(), Codecs.int32());
    pair.server().respond(square, n -> Mono.just(n * n));

    assertEquals(49, pair.toServer().request(square, 7).block(Nodes.PATIENCE));
    pair.toServer().close().block(Nodes.PATIENCE);
  }
}
