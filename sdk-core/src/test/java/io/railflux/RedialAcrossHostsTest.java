package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.railflux.TwoHosts.Host;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two processes on two hosts that both listen on all interfaces. The side with the higher id reconnects. */
@Tag("FT4")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
@Tag("deep")
class RedialAcrossHostsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Ids are random: the probability that all pairs have the same order is one in a million. */
  private static final int MAX_PAIRS = 21;

  @RegisterExtension
  final TwoHosts hosts = new TwoHosts();

  private HostProcess receiver;
  private HostProcess sender;

  @AfterEach
  void endProcesses() {
    for (HostProcess process : new HostProcess[] {sender, receiver}) {
      if (process != null) {
        process.close();
      }
    }
  }

  private HostProcess start(Host host, String role, String mode, String address) throws Exception {
    HostProcess process = new HostProcess(hosts.on(host), role, mode, address, role, "30000");
    process.expect("ready");
    return process;
  }

  private void awaitMore() throws Exception {
    long before = receiver.ask("count");
    await().atMost(PATIENCE).until(() -> receiver.ask("count") > before + 10_000);
  }

  private boolean isAcceptorsTurn() {
    return sender.hasPrinted("rail RETRYING lost; the peer has the higher id");
  }

  /** Returns whether it was the accepting side's turn. */
  private boolean pairLosesItsCable() throws Exception {
    receiver = start(Host.B, "receiver", "bind", "tcp:*:4711");
    sender = start(Host.A, "sender", "both", "tcp:10.78.0.2:4711");
    awaitMore();
    // Interfaces are scanned once per second, and announced afterwards.
    await().atMost(PATIENCE).until(() -> receiver.hasPrinted("received the addresses of"));
    hosts.unplugCable();
    sender.expect("its streams pause");
    hosts.plugCable();
    sender.expect("its streams resume");
    awaitMore();
    sender.order("end");
    String sent = sender.expect("sent ");
    // The log also contains lines with "received".
    String received = sent.replace("sent", "received");
    assertEquals(received, receiver.expect(received));
    assertFalse(receiver.hasPrintedLine("disordered"));
    assertEquals(isAcceptorsTurn(), receiver.hasPrinted("rail RETRYING lost; again"));
    return isAcceptorsTurn();
  }

  @Test
  void higherIdReconnectsIndependentOfTheFirstConnector() throws Exception {
    hosts.addCable();
    boolean theirs = false;
    boolean own = false;
    for (int pairs = 0; pairs < MAX_PAIRS && !(theirs && own); pairs++) {
      boolean acceptors = pairLosesItsCable();
      theirs |= acceptors;
      own |= !acceptors;
      endProcesses();
    }

    assertEquals(theirs, own, "both orders occurred");
  }
}
