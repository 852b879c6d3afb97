package io.railflux.fabric.verbs.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.CompletionStatus;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StatusesTest {

  /** Every status of {@code enum ibv_wc_status}, by number. */
  @ParameterizedTest
  @CsvSource({
    "0, SUCCESS",
    "1, LENGTH",
    "2, TRANSPORT_RETRY",
    "3, TRANSPORT_RETRY",
    "4, LOCAL_PROTECTION",
    "5, FLUSHED",
    "6, TRANSPORT_RETRY",
    "7, TRANSPORT_RETRY",
    "8, LOCAL_PROTECTION",
    "9, LENGTH",
    "10, REMOTE_ACCESS",
    "11, TRANSPORT_RETRY",
    "12, TRANSPORT_RETRY",
    "13, RECEIVER_NOT_READY",
    "14, TRANSPORT_RETRY",
    "15, TRANSPORT_RETRY",
    "16, TRANSPORT_RETRY",
    "17, TRANSPORT_RETRY",
    "18, TRANSPORT_RETRY",
    "19, TRANSPORT_RETRY",
    "20, TRANSPORT_RETRY",
    "21, TRANSPORT_RETRY",
    "22, TRANSPORT_RETRY",
    "23, TRANSPORT_RETRY"
  })
  void meansThis(int status, CompletionStatus meaning) {
    assertEquals(meaning, Statuses.of(status));
  }
}
