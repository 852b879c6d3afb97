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
 * Two processes on two hosts over TCP. Cables are pulled, packets are dropped, and one process is stopped or killed.
 * The sender is on A, the receiver on B.
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

  /**
   * @param connects the connecting process; only this side can reconnect
   */
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

  /** Waits for the rest of a partition, during which nothing ends and nothing arrives. */
  private void outlast() {
    await()
        .during(OUTAGE)
        .atMost(OUTAGE.plus(PATIENCE))
        .until(() ->
            !sender.hasPrintedLine("stream failed ") && !receiver.hasPrintedLine("stream failed "));
  }

  private void assertNothingLostOrDuplicated() throws Exception {
    awaitMore();
    sender.order("end");
    String sent = sender.expect("sent ");
    // The log also contains lines with "received".
    String received = sent.replace("sent", "received");
    assertEquals(received, receiver.expect(received));
    assertFalse(receiver.hasPrintedLine("disordered"));
  }

  /** Returns the time without progress after which the rail was given up, from the log of a process. */
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
  void pulledCableLosesNoMessage(String connects) throws Exception {
    meet(connects, NEVER_MILLIS);
    hosts.unplug(Host.B);
    sender.expect("its streams pause");
    outlast();
    hosts.plug(Host.B);
    sender.expect("its streams resume");
    assertNothingLostOrDuplicated();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sender", "receiver"})
  void silenceIsSuspectedWithinTheDetectionBound(String connects) throws Exception {
    meet(connects, NEVER_MILLIS);
    hosts.dropPacketsTo(Host.A);
    hosts.dropPacketsTo(Host.B);
    assertSuspectedInTime(sender);
    assertSuspectedInTime(receiver);
    outlast();
    hosts.passPacketsTo(Host.A);
    hosts.passPacketsTo(Host.B);
    assertNothingLostOrDuplicated();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "B"})
  void silenceInOneDirectionLosesNoMessage(Host deaf) throws Exception {
    meet("sender", NEVER_MILLIS);
    hosts.dropPacketsTo(deaf);
    assertSuspectedInTime(deaf == Host.A ? sender : receiver);
    sender.expect("its streams pause");
    outlast();
    hosts.passPacketsTo(deaf);
    assertNothingLostOrDuplicated();
  }

  @Test
  void slowRailIsGivenUpInTime() throws Exception {
    meet("sender", NEVER_MILLIS);
    hosts.crawlToward(Host.B);
    // One side detects the outage and closes the connection, which notifies the other side.
    String suspicion = "no progress for";
    await()
        .atMost(PATIENCE)
        .until(() -> sender.hasPrinted(suspicion) || receiver.hasPrinted(suspicion));
    assertSuspectedInTime(sender.hasPrinted(suspicion) ? sender : receiver);
    hosts.hurryToward(Host.B);
    assertNothingLostOrDuplicated();
  }

  @ParameterizedTest
  @ValueSource(strings = {"A", "B"})
  void resetOfAnInterfaceLosesNoMessage(Host reset) throws Exception {
    meet("sender", NEVER_MILLIS);
    for (int times = 0; times < 3; times++) {
      hosts.resetInterface(reset);
      awaitMore();
    }
    assertNothingLostOrDuplicated();
  }

  @Test
  void halfOpenConnectionIsReplaced() throws Exception {
    meet("sender", NEVER_MILLIS);
    hosts.takeAddress(Host.B);
    assertSuspectedInTime(sender);
    outlast();
    hosts.giveAddress(Host.B);
    assertNothingLostOrDuplicated();
  }

  @Test
  void stoppedProcessIsSuspectedNotDead() throws Exception {
    meet("sender", NEVER_MILLIS);
    receiver.signal("STOP");
    assertSuspectedInTime(sender);
    outlast();
    receiver.signal("CONT");
    assertNothingLostOrDuplicated();
  }

  @Test
  void partitionBeyondItsTimeoutFailsTheStreams() throws Exception {
    meet("sender", 2_000);
    hosts.dropPacketsTo(Host.B);
    String failure = sender.expect("stream failed ");
    assertTrue(failure.startsWith("stream failed DeliveryUnknownException "), failure);
    assertTrue(failure.contains("'receiver'") && failure.contains(Host.B.address()), failure);
    assertTrue(Pattern.compile("silent for 2\\d{3} ms").matcher(failure).find(), failure);
    String line = receiver.expect("stream failed ");
    assertTrue(line.startsWith("stream failed PeerUnreachableException "), line);
    long acknowledged = Long.parseLong(failure.split(" ", -1)[3]);
    assertTrue(acknowledged > 0 && acknowledged <= receiver.ask("count"), failure);
  }

  @Test
  void memoryOfAPausedSenderIsBounded() throws Exception {
    meet("sender", NEVER_MILLIS);
    hosts.dropPacketsTo(Host.B);
    sender.expect("its streams pause");
    long produced = sender.ask("count");
    outlast();
    assertEquals(produced, sender.ask("count"), "a paused sender requests nothing from its source");
    // In the ring a number occupies more than its 8 bytes.
    long held = produced - receiver.ask("count");
    assertTrue(held >= 0 && held <= (2 << 20) / Long.BYTES, () -> held + " numbers held");
    hosts.passPacketsTo(Host.B);
    sender.expect("its streams resume");
    assertNothingLostOrDuplicated();
  }

  @Test
  void restartedPeerIsANewPeer() throws Exception {
    meet("sender", NEVER_MILLIS);
    receiver.kill();
    sender.expect("its streams pause");
    receiver = start(Host.B, "receiver", "bind", "tcp:*:4711", NEVER_MILLIS);
    String failure = sender.expect("stream failed ");
    assertTrue(failure.startsWith("stream failed DeliveryUnknownException "), failure);
    assertTrue(failure.contains("restarted"), failure);
  }

  @Test
  void endedOutagesLeaveNothing() throws Exception {
    meet("sender", NEVER_MILLIS);
    // Ring and log, once the pair has dedicated channels and left the first ones.
    long[] registered = {0};
    await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .until(() ->
            registered[0] == (registered[0] = sender.ask(REGISTERED)) && registered[0] > 4 << 20);
    for (long outage = 1; outage <= 3; outage++) {
      hosts.unplug(Host.A);
      sender.expect("its streams pause");
      hosts.plug(Host.A);
      sender.expect("its streams resume");
      awaitMore();
      assertTrue(sender.ask(ENDPOINTS_LOST) >= outage);
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertEquals(registered[0], sender.ask(REGISTERED)));
    assertNothingLostOrDuplicated();
  }
}
