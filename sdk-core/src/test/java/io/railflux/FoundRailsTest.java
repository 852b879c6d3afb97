package io.railflux;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.railflux.TwoHosts.Host;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Two processes on two hosts. One address is configured, and the processes discover the others. */
@Tag("MR12")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
@Tag("deep")
class FoundRailsTest {

  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final String ADDED = "tcp:10.78.0.2:4711";

  @RegisterExtension
  final TwoHosts hosts = new TwoHosts();

  private HostProcess receiver;
  private HostProcess sender;

  private void meet() throws Exception {
    meetAt("tcp:*:4711");
  }

  private void meetAt(String bound) throws Exception {
    receiver = start(Host.B, "receiver", "bind", bound);
    sender = start(Host.A, "sender", "connect", "tcp:" + Host.B.address() + ":4711");
    awaitMore();
  }

  private HostProcess start(Host host, String role, String mode, String address) throws Exception {
    HostProcess process = new HostProcess(hosts.on(host), role, mode, address, role, "30000");
    process.expect("ready");
    return process;
  }

  @AfterEach
  void endProcesses() {
    for (HostProcess process : new HostProcess[] {sender, receiver}) {
      if (process != null) {
        process.close();
      }
    }
  }

  private void awaitMore() throws Exception {
    long before = receiver.ask("count");
    await().atMost(PATIENCE).until(() -> receiver.ask("count") > before + 10_000);
  }

  private void awaitRails(int count) {
    for (HostProcess process : List.of(sender, receiver)) {
      await().atMost(PATIENCE).until(() -> process.ask("rails") == count);
    }
  }

  private void endInOrder() throws Exception {
    sender.order("end");
    String sent = sender.expect("sent ");
    // The log also contains lines with "received".
    String received = sent.replace("sent", "received");
    assertEquals(received, receiver.expect(received));
    assertFalse(receiver.hasPrintedLine("disordered"));
  }

  @Test
  void unnamedInterfaceBecomesARail() throws Exception {
    hosts.addCable();
    meet();

    awaitRails(2);
    endInOrder();
  }

  @Test
  void addedAddressIsARailUntilItIsRemoved() throws Exception {
    hosts.addCable();
    meetAt("tcp:" + Host.B.address() + ":4711");
    awaitRails(1);
    for (int i = 0; i < 2; i++) {
      receiver.order("add " + ADDED);
      receiver.expect("added " + ADDED);
      awaitRails(2);
      awaitMore();
      receiver.order("remove " + ADDED);
      receiver.expect("removed");
      awaitRails(1);
      awaitMore();
    }
    endInOrder();
  }

  @Test
  void interfacesMayChangeDuringAStream() throws Exception {
    meet();
    awaitRails(1);
    hosts.addCable();
    awaitRails(2);
    hosts.removeCable();
    awaitRails(1);
    awaitMore();
    hosts.addCable();
    awaitRails(2);

    endInOrder();
  }
}
