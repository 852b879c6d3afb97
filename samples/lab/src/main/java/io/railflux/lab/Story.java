package io.railflux.lab;

/** What is to become of a flow when nothing else goes wrong. */
enum Story {
  /** Completes; everything arrives. */
  COMPLETES,
  /** The source fails after some messages. */
  SOURCE_FAILS,
  /** The subscriber cancels after some messages. */
  RECEIVER_CANCELS,
  /** The sender gives up at some time. */
  SENDER_CANCELS,
  /** The codec of the subscriber throws at some message. */
  DECODER_THROWS,
  /** The subscriber itself throws at some message. */
  SUBSCRIBER_THROWS,
  /** A message exceeds what both sides agreed on. */
  TOO_LARGE,
  /** Both sides name different codecs. */
  CODEC_MISMATCH,
  /** The subscriber of a name that has one already. */
  SECOND_SUBSCRIBER,
  /** The sender of a name that has one already. */
  SECOND_SENDER,
  /** Announced, but nobody subscribes. */
  NEVER_SUBSCRIBED,
  /** A request nobody serves. */
  NO_ROUTE;

  /** Whether a sender takes part. */
  boolean sends() {
    return this != SECOND_SUBSCRIBER;
  }

  boolean receives() {
    return this != NEVER_SUBSCRIBED && this != SECOND_SENDER;
  }
}
