package io.railflux.lab;

/** What applications do and see. Part of the trace hash: append only. */
enum Seen {
  CONNECTED,
  CONNECT_FAILED,
  CHANNEL_ENDED,
  OPENED,
  SUBSCRIBED,
  SOURCE_ASKED,
  EMITTED,
  REQUESTED,
  DELIVERED,
  ACKNOWLEDGED,
  EXPIRED,
  SENDER_DONE,
  SENDER_FAILED,
  RECEIVER_DONE,
  RECEIVER_FAILED,
  CANCELLED,
  SERVED,
  FAULT,
  KILLED,
  CLOSING,
  CLOSED,
  FAILED_AT_ONCE
}
