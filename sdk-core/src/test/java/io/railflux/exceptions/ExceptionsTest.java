package io.railflux.exceptions;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.railflux.exceptions.StreamRejectedException.Reason;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ExceptionsTest {

  static Stream<RailfluxException> all() {
    return Stream.of(
        new DeliveryUnknownException("m", 7),
        new DeliveryUnknownException("m", 7, cause()),
        new StreamCancelledException("m", 7),
        new RemoteStreamException("s", "peer 'p'", "java.lang.Error", "boom"),
        new StreamRejectedException(Reason.CLOSING, "m"),
        new PeerUnreachableException("m"),
        new PeerUnreachableException("m", cause()),
        new ProtocolViolationException("m"),
        new MessageTooLargeException("m", 10, 9),
        new FabricUnavailableException("shm", "r", "a"),
        new FabricUnavailableException("shm", "r", "a", cause()),
        new NodeClosedException("m"),
        new PeerClosedException("m"),
        new DeadlineExceededException("m"));
  }

  @ParameterizedTest
  @MethodSource("all")
  void everyFailureIsUncheckedAndSurvivesSerialization(RailfluxException failure) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(failure);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      Object copy = in.readObject();
      assertSame(failure.getClass(), copy.getClass());
      assertEquals(failure.getMessage(), ((RuntimeException) copy).getMessage());
    }
  }

  @ParameterizedTest
  @MethodSource("all")
  void noFailureCarriesTheStackOfTheEngine(RailfluxException failure) {
    assertEquals(0, failure.getStackTrace().length);
    failure.addSuppressed(cause());
    assertEquals(1, failure.getSuppressed().length);
  }

  @Test
  void unknownDeliveryReportsTheKnownCounts() {
    IOException cause = cause();
    DeliveryUnknownException failure = new DeliveryUnknownException("peer b restarted", 41, cause);
    assertEquals(41, failure.acknowledgedCount());
    assertSame(cause, failure.getCause());
    assertNull(new DeliveryUnknownException("m", 0).getCause());
  }

  @Test
  void cancellationReportsDeliveredMessages() {
    assertEquals(3, new StreamCancelledException("cancelled", 3).acknowledgedCount());
  }

  @Test
  void remoteFailureCarriesNameAndMessageOnly() {
    RemoteStreamException failure =
        new RemoteStreamException("s", "peer 'p'", "com.acme.Oops", "no stock");
    assertEquals("com.acme.Oops", failure.remoteClass());
    assertEquals("no stock", failure.remoteMessage());
    assertEquals(
        "stream 's': the publisher or handler on peer 'p' failed with com.acme.Oops: no stock",
        failure.getMessage());
  }

  @Test
  void remoteFailureMayHaveNoMessage() {
    RemoteStreamException failure =
        new RemoteStreamException("s", "peer 'p'", "com.acme.Oops", null);
    assertNull(failure.remoteMessage());
    assertEquals(
        "stream 's': the publisher or handler on peer 'p' failed with com.acme.Oops",
        failure.getMessage());
  }

  @Test
  void rejectionAlwaysHasReason() {
    assertEquals(
        Reason.NO_SUCH_ROUTE,
        new StreamRejectedException(Reason.NO_SUCH_ROUTE, "no responder for 'x'").reason());
    assertThrows(NullPointerException.class, () -> new StreamRejectedException(null, "m"));
  }

  @Test
  void tooLargeMessageReportsSizeAndLimit() {
    MessageTooLargeException failure = new MessageTooLargeException("m", 1L << 40, 1L << 30);
    assertEquals(1L << 40, failure.sizeBytes());
    assertEquals(1L << 30, failure.limitBytes());
  }

  @Test
  void unavailableFabricReportsReasonAndRemedy() {
    FabricUnavailableException failure =
        new FabricUnavailableException("shm", "/dev/shm is full", "free 4 MiB there", cause());
    assertEquals(
        "fabric shm is unavailable: /dev/shm is full; free 4 MiB there", failure.getMessage());
    assertEquals("shm", failure.fabric());
    assertEquals("/dev/shm is full", failure.reason());
    assertEquals("free 4 MiB there", failure.remedy());
    assertInstanceOf(IOException.class, failure.getCause());
  }

  private static IOException cause() {
    return new IOException("disk");
  }
}
