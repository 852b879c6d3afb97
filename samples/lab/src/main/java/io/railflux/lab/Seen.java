package io.railflux.lab;

/** Actions and observations of applications. The trace hash includes the ordinals: append only. */
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
