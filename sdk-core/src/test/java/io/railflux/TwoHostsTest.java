package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.railflux.TwoHosts.Host;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Two processes on two hosts over TCP: cables are pulled, packets disappear, one of them stops or is
 * killed. The sender is on A, the receiver on B.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("D12")
@Tag("FT1")
@Tag("FT5")
@Tag("deep")
class TwoHostsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration OUTAGE = Duration.ofSeconds(3);
  private static final long NEVER_MILLIS = 60_000;
  private static final long DETECT_MILLIS = 500;
  private static final String ENDPOINTS_LOST = "railflux.endpoints.lost";
  private static final String REGISTERED = "railflux.memory.registered";

  @RegisterExtension
  final TwoHosts hosts = new TwoHosts();

  private HostProcess sender;
  private HostProcess receiver;

  @AfterEach
  void endProcesses() {
    if (sender != null) {
      sender.close();
    }
    if (receiver != null) {
      receiver.close();
    }
  }

  /** @param connects which of both does: only that one can come back by itself */
  private void meet(String connects, long partitionMillis) throws Exception {
    if (connects.equals("sender")) {
      receiver = start(Host.B, "receiver", "bind", "tcp:*:4711", partitionMillis);
      sender =
          start(Host.A, "sender", "connect", "tcp:" + Host.B.address() + ":4711", partitionMillis);
    } else {
      sender = start(Host.A, "sender", "bind", "tcp:*:4711", partitionMillis);
      receiver = start(
          Host.B, "receiver", "connect", "tcp:" + Host.A.address() + ":4711", partitionMillis);
    }
    awaitMore();
  }

  private HostProcess start(
      Host host, String role, String mode, String address, long partitionMillis) throws Exception {
    HostProcess process =
        new HostProcess(hosts.on(host), role, mode, address, role, Long.toString(partitionMillis));
    process.expect("ready");
    return process;
  }

  private void awaitMore() throws Exception {
    long before = receiver.ask("count");
    await().atMost(PATIENCE).until(() -> receiver.ask("count") > before + 10_000);
  }

  /** The rest of a partition: nothing ends, nothing comes. */
  private void outlast() {
    await()
        .during(OUTAGE)
        .atMost(OUTAGE.plus(PATIENCE))
        .until(() -> !sender.said("stream failed ") && !receiver.said("stream failed "));
  }

  private void assertNothingLostOrDuplicated() throws Exception {
    awaitMore();
    sender.order("end");
    String sent = sender.expect("sent ");
    // The log has lines with "received", too.
    String received = sent.replace("sent", "received");
    assertEquals(received, receiver.expect(received));
    assertFalse(receiver.said("disordered"));
  }

  /** How long the rail had been without progress when it was given up, by the log of that process. */
  private static long silenceMillis(HostProcess process) throws Exception {
    Matcher silence =
        Pattern.compile("no progress for (\\d+) ms").matcher(process.expect("no progress for"));
    assertTrue(silence.find());
    return Long.parseLong(silence.group(1));
  }

  private static void assertSuspectedInTime(HostProcess process) throws Exception {
    long millis = silenceMillis(process);
    System.out.println("suspected after " + millis + " ms of silence");
    assertTrue(millis >= DETECT_MILLIS && millis <= 2 * DETECT_MILLIS, () -> millis + " ms");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sender", "receiver"})
  void aPulledCableLosesNothing(String connects) throws Exception {
    meet(connects, NEVER_MILLIS);
    hosts.unplug(Host.B);
    sender.expect("its streams pause");
    outlast();
    hosts.plug(Host.B);
    sender.expect("its streams go on");
    assertNothingLostOrDuplicated();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sender", "receiver"})
  void silenceIsSuspectedWithinTheDetectionBound(String connects) throws Exception {
    meet(connects, NEVER_MILLIS);
    hosts.swallowWhatIsFor(Host.A);
    hosts.swallowWhatIsFor(Host.B);
    assertSuspectedInTime(sender);
    assertSuspectedInTime(receiver);
    outlast();
    hosts.passWhatIsFor(Host.A);
    hosts.passWhatIsFor(Host.B);
    assertNothingLostOrDuplicated();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "B"})
  void silenceInOneDirectionLosesNothing(Host deaf) throws Exception {
    meet("sender", NEVER_MILLIS);
    hosts.swallowWhatIsFor(deaf);
    assertSuspectedInTime(deaf == Host.A ? sender : receiver);
    sender.expect("its streams pause");
    outlast();
    hosts.passWhatIsFor(deaf);
    assertNothingLostOrDuplicated();
  }

  @Test
  void aRailThatOnlyCrawlsIsGivenUpInTime() throws Exception {
    meet("sender", NEVER_MILLIS);
    hosts.crawlToward(Host.B);
    // By one of them, which hangs up: the other hears of that.
    String suspicion = "no progress for";
    await().atMost(PATIENCE).until(() -> sender.hasTold(suspicion) || receiver.hasTold(suspicion));
    assertSuspectedInTime(sender.hasTold(suspicion) ? sender : receiver);
    hosts.hurryToward(Host.B);
    assertNothingLostOrDuplicated();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "B"})
  void anInterfaceThatIsResetLosesNothing(Host reset) throws Exception {
    meet("sender", NEVER_MILLIS);
    for (int times = 0; times < 3; times++) {
      hosts.resetInterface(reset);
      awaitMore();
    }
    assertNothingLostOrDuplicated();
  }

  @Test
  void aHalfOpenConnectionIsReplaced() throws Exception {
    meet("sender", NEVER_MILLIS);
    hosts.takeAddress(Host.B);
    assertSuspectedInTime(sender);
    outlast();
    hosts.giveAddress(Host.B);
    assertNothingLostOrDuplicated();
  }

  @Test
  void aStoppedProcessIsSuspectedNotDead() throws Exception {
    meet("sender", NEVER_MILLIS);
    receiver.signal("STOP");
    assertSuspectedInTime(sender);
    outlast();
    receiver.signal("CONT");
    assertNothingLostOrDuplicated();
  }

  @Test
  void aPartitionBeyondItsTimeoutFailsTheStreams() throws Exception {
    meet("sender", 2_000);
    hosts.swallowWhatIsFor(Host.B);
    String failure = sender.expect("stream failed ");
    assertTrue(failure.startsWith("stream failed DeliveryUnknownException "), failure);
    assertTrue(failure.contains("'receiver'") && failure.contains(Host.B.address()), failure);
    assertTrue(Pattern.compile("unheard of for 2\\d{3} ms").matcher(failure).find(), failure);
    String heard = receiver.expect("stream failed ");
    assertTrue(heard.startsWith("stream failed PeerUnreachableException "), heard);
    long acknowledged = Long.parseLong(failure.split(" ", -1)[3]);
    assertTrue(acknowledged > 0 && acknowledged <= receiver.ask("count"), failure);
  }

  @Test
  void whatAPausedSenderHoldsIsBounded() throws Exception {
    meet("sender", NEVER_MILLIS);
    hosts.swallowWhatIsFor(Host.B);
    sender.expect("its streams pause");
    long produced = sender.ask("count");
    outlast();
    assertEquals(produced, sender.ask("count"), "a paused sender takes nothing from its source");
    // A number takes more than its 8 bytes of the ring it waits in.
    long held = produced - receiver.ask("count");
    assertTrue(held >= 0 && held <= (2 << 20) / Long.BYTES, () -> held + " numbers held");
    hosts.passWhatIsFor(Host.B);
    sender.expect("its streams go on");
    assertNothingLostOrDuplicated();
  }

  @Test
  void aRestartedPeerIsAnotherOne() throws Exception {
    meet("sender", NEVER_MILLIS);
    receiver.kill();
    sender.expect("its streams pause");
    receiver = start(Host.B, "receiver", "bind", "tcp:*:4711", NEVER_MILLIS);
    String failure = sender.expect("stream failed ");
    assertTrue(failure.startsWith("stream failed DeliveryUnknownException "), failure);
    assertTrue(failure.contains("restarted"), failure);
  }

  @Test
  void outagesThatAreOverLeaveNothingBehind() throws Exception {
    meet("sender", NEVER_MILLIS);
    long registered = sender.ask(REGISTERED);
    for (long outage = 1; outage <= 3; outage++) {
      hosts.unplug(Host.A);
      sender.expect("its streams pause");
      hosts.plug(Host.A);
      sender.expect("its streams go on");
      awaitMore();
      assertTrue(sender.ask(ENDPOINTS_LOST) >= outage);
    }
    await().atMost(PATIENCE).until(() -> sender.ask(REGISTERED) == registered);
    assertNothingLostOrDuplicated();
  }
}
