package io.railflux.fabric.disni;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmEvent.EventType;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import io.railflux.fabric.Callback.Kind;
import io.railflux.fabric.Fabric;
import io.railflux.fabric.RecordingListener;
import io.railflux.fabric.disni.events.Alarm;
import io.railflux.fabric.disni.events.CompletionQueues;
import io.railflux.fabric.disni.queue.ControlMessage;
import io.railflux.fabric.disni.queue.DisniQueuePair;
import io.railflux.fabric.disni.queue.MessageSlots;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A peer that connects and then violates the protocol loses its connection only. */
class HostilePeerTest {

  private static final InetSocketAddress PLACE = new InetSocketAddress("10.0.0.1", 7000);

  private final FakeRdma rdma = FakeRdma.install();
  private final ManualContext context = new ManualContext();
  private final RecordingListener callbacks = new RecordingListener();
  private final CompletionQueues queues = new CompletionQueues(new Alarm(context));
  private Fabric fabric;
  private RdmaEventChannel channel;
  private RdmaCmId id;
  private DisniQueuePair pair;

  @BeforeEach
  void connect() throws IOException {
    fabric = FakeFixture.PROVIDER.open(context);
    fabric.listen(DisniLocation.text(PLACE), callbacks);
    channel = rdma.openCm().createEventChannel();
    id = channel.createId((short) 0);
    id.resolveAddr(null, PLACE, 100);
    pair = DisniQueuePair.open(id, 1, queues);
    id.connect(new RdmaConnParam());
    until(EventType.RDMA_CM_EVENT_ESTABLISHED);
  }

  @AfterEach
  void close() throws IOException {
    fabric.close();
    pair.close();
    queues.close();
    channel.destroyEventChannel();
    Awaitility.await().untilAsserted(() -> assertTrue(rdma.isClean(), rdma::leaks));
    rdma.close();
  }

  @Test
  void acceptsAValidPeer() throws IOException {
    speak();
    awaitCallback(Kind.CONNECTED);
  }

  @Test
  void rejectsAnotherProtocol() throws IOException {
    control().putInt(0, 0x4746_4544);
    speak();
    assertRejected();
  }

  @Test
  void rejectsAnotherVersion() throws IOException {
    control().put(4, (byte) 77);
    speak();
    assertRejected();
  }

  @Test
  void rejectsTooFewReceives() throws IOException {
    control().putInt(8, MessageSlots.COUNT - 1);
    speak();
    assertRejected();
  }

  @Test
  void rejectsTooSmallReceives() throws IOException {
    control().putInt(12, MessageSlots.BYTES - 1);
    speak();
    assertRejected();
  }

  @Test
  void rejectsASilentPeerInTime() throws IOException {
    fabric.poll(16);
    context.pass(DisniConnections.PATIENCE_NANOS);
    assertRejected();
  }

  @Test
  void disconnectsAPeerThatCountsUnsentMessages() throws IOException {
    speak();
    awaitCallback(Kind.CONNECTED);
    ControlMessage.update(control(), 1, 0);
    speak();
    awaitCallback(Kind.DRAINED);
    assertTrue(reason().contains("counts messages that were never sent"), this::reason);
  }

  @Test
  void disconnectsAPeerThatCountsUnsentControlMessages() throws IOException {
    speak();
    awaitCallback(Kind.CONNECTED);
    ControlMessage.update(control(), 0, 99);
    speak();
    awaitCallback(Kind.DRAINED);
    assertTrue(reason().contains("counts messages that were never sent"), this::reason);
  }

  @Test
  void disconnectsAPeerWhoseCountsDecrease() throws IOException {
    speak();
    awaitCallback(Kind.CONNECTED);
    ControlMessage.update(control(), -1, 0);
    speak();
    awaitCallback(Kind.DRAINED);
  }

  @Test
  void waitForADefectiveCardIsBounded() throws IOException {
    speak();
    awaitCallback(Kind.CONNECTED);
    rdma.stopFlushing();
    callbacks.all().get(0).endpoint().fence("test");
    fabric.poll(16);
    assertEquals(0, callbacks.of(Kind.DRAINED).size());
    context.pass(TimeUnit.SECONDS.toNanos(1));
    awaitCallback(Kind.DRAINED);
  }

  private ByteBuffer control() {
    return pair.slots().control();
  }

  private void speak() throws IOException {
    pair.postControl();
  }

  private String reason() {
    return callbacks.of(Kind.ERROR).get(0).reason();
  }

  private void awaitCallback(Kind kind) {
    Awaitility.await().pollInSameThread().until(() -> {
      fabric.poll(16);
      return !callbacks.of(kind).isEmpty();
    });
  }

  /** Requires that the connection is closed without a callback. */
  private void assertRejected() throws IOException {
    until(EventType.RDMA_CM_EVENT_DISCONNECTED);
    assertEquals(0, callbacks.count());
  }

  private void until(EventType type) {
    Awaitility.await().pollInSameThread().until(() -> {
      fabric.poll(16);
      RdmaCmEvent event = channel.getCmEvent(1);
      return event != null && event.getEvent() == type.ordinal();
    });
  }
}
