package io.railflux.lab;

/** The course of a flow when no fault occurs. */
enum Story {
  /** Completes. Everything arrives. */
  COMPLETES,
  /** The source fails after some messages. */
  SOURCE_FAILS,
  /** The subscriber cancels after some messages. */
  RECEIVER_CANCELS,
  /** The sender cancels at some time. */
  SENDER_CANCELS,
  /** The codec of the subscriber throws at some message. */
  DECODER_THROWS,
  /** The subscriber itself throws at some message. */
  SUBSCRIBER_THROWS,
  /** A message exceeds the agreed maximum. */
  TOO_LARGE,
  /** Both sides name different codecs. */
  CODEC_MISMATCH,
  /** A second subscriber of one name. */
  SECOND_SUBSCRIBER,
  /** A second sender of one name. */
  SECOND_SENDER,
  /** Announced, but never subscribed. */
  NEVER_SUBSCRIBED,
  /** A request without a responder. */
  NO_ROUTE;

  /** Returns whether a sender takes part. */
  boolean sends() {
    return this != SECOND_SUBSCRIBER;
  }

  boolean receives() {
    return this != NEVER_SUBSCRIBED && this != SECOND_SENDER;
  }
}
