package io.railflux.lab;

import io.railflux.pipeline.DeliverySink;

/**
 * The ledger of one flow of messages, which observes both sides. Checks at every signal: order, exactly-once delivery,
 * demand, and acknowledgement after delivery.
 */
final class Flow implements DeliverySink {

  /** The end of one side of a flow. */
  enum End {
    COMPLETED,
    FAILED,
    /** The side cancelled the flow itself. */
    CANCELLED
  }

  private static final int PREFETCH = 256;

  final long key;
  final String name;
  final FlowPlan plan;
  final Side from;
  final Side to;
  private final Journal journal;

  // Sender.
  private long asked;
  private long emitted;
  private long acknowledged;
  private long expired;
  private boolean opened;
  private End senderEnd;
  private Throwable senderError;
  private int served;

  // Receiver.
  private long requested;
  private boolean unbounded;
  private long delivered;
  private long next;
  private boolean subscribed;
  private End receiverEnd;
  private Throwable receiverError;

  Flow(long key, String name, FlowPlan plan, Side from, Side to, Journal journal) {
    this.key = key;
    this.name = name;
    this.plan = plan;
    this.from = from;
    this.to = to;
    this.journal = journal;
  }

  private void require(boolean holds, String what) {
    if (!holds) {
      journal.violation(what + ": " + this);
    }
  }

  void opened() {
    opened = true;
    journal.record(Seen.OPENED, key, 0);
  }

  /** Records that a request reached its responder. */
  void served() {
    served++;
    opened();
    journal.record(Seen.SERVED, key, served);
    require(served == 1, "a request was served twice");
  }

  /** Records a request of the pipeline to the source. */
  void asked(long n) {
    asked += n;
    journal.record(Seen.SOURCE_ASKED, key, n);
    require(asked - emitted <= PREFETCH, "requested more from the source than the bound");
    require(isWithinDemand(asked), "requested more from the source than the far side requested");
  }

  private boolean isWithinDemand(long count) {
    // Each expired message entitles to another one. The receiver does not know which messages
    // expired.
    return unbounded || plan.isTimed() || count <= requested;
  }

  Payload emit() {
    Payload payload = new Payload(key, emitted, plan.sizeOf(key, emitted));
    journal.record(Seen.EMITTED, key, emitted);
    emitted++;
    require(isWithinDemand(emitted), "pulled more from the source than the far side requested");
    require(senderEnd == null || senderEnd != End.COMPLETED, "pulled after completion");
    return payload;
  }

  Payload first() {
    return new Payload(key, 0, plan.sizeOf(key, 0));
  }

  /** The only message left. The sender receives no acknowledgement for it. */
  void left() {
    emit();
    journal.record(Seen.SENDER_DONE, key, emitted);
    require(senderEnd == null, "the sender ended twice");
    senderEnd = End.COMPLETED;
  }

  long acknowledged() {
    return acknowledged;
  }

  long emitted() {
    return emitted;
  }

  @Override
  public void onAcknowledged(long messages) {
    acknowledged += messages;
    journal.record(Seen.ACKNOWLEDGED, key, messages);
    require(senderEnd == null, "acknowledged after the end");
    require(messages > 0 && acknowledged + expired <= emitted, "acknowledged what was not sent");
    require(
        receiverEnd != null || plan.isTimed() || acknowledged <= delivered,
        "acknowledged before it was delivered");
  }

  @Override
  public void onExpired(long index) {
    expired++;
    journal.record(Seen.EXPIRED, key, index);
    require(plan.isTimed() && index < emitted, "expired without a time to live");
  }

  @Override
  public void onCompleted() {
    journal.record(Seen.SENDER_DONE, key, acknowledged);
    require(senderEnd == null, "the sender ended twice");
    senderEnd = End.COMPLETED;
    require(acknowledged + expired == emitted, "completed with messages unacknowledged");
  }

  @Override
  public void onFailed(Throwable error) {
    journal.record(Seen.SENDER_FAILED, key, acknowledged);
    note(error);
    require(senderEnd == null, "the sender ended twice");
    senderEnd = End.FAILED;
    senderError = error;
    require(error != null, "failed without an error");
  }

  private void note(Throwable error) {
    if (journal.isListening()) {
      journal.note(name + ": " + error);
    }
  }

  void subscribed() {
    subscribed = true;
    journal.record(Seen.SUBSCRIBED, key, 0);
  }

  void requested(long n) {
    unbounded |= n == Long.MAX_VALUE;
    requested += n;
    journal.record(Seen.REQUESTED, key, n);
  }

  /** Returns the number of the next message of a flow that skips no message. */
  long next() {
    return next;
  }

  void delivered(long number) {
    journal.record(Seen.DELIVERED, key, number);
    require(
        plan.isTimed() ? number >= next : number == next, "message " + number + " came instead");
    require(number < emitted, "message " + number + " was never sent");
    next = number + 1;
    delivered++;
    require(unbounded || delivered <= requested, "delivered more than was requested");
    require(receiverEnd == null, "delivered after the end");
  }

  long delivered() {
    return delivered;
  }

  void corrupted(long number) {
    journal.violation("the content of message " + number + " is damaged: " + this);
  }

  void receiverCompleted() {
    journal.record(Seen.RECEIVER_DONE, key, delivered);
    require(receiverEnd == null, "the subscriber ended twice");
    receiverEnd = End.COMPLETED;
  }

  void receiverFailed(Throwable error) {
    journal.record(Seen.RECEIVER_FAILED, key, delivered);
    note(error);
    boolean refused = to.channel.isClosed() || to.channel.isClosing();
    // A refused subscriber receives the error even after it cancelled, as with Flux.error.
    require(
        receiverEnd == null || (receiverEnd == End.CANCELLED && refused && requested == 0),
        "the subscriber ended twice");
    receiverEnd = End.FAILED;
    receiverError = error;
  }

  /** Records that the subscriber cancelled. Every later signal is a violation. */
  void receiverCancelled() {
    journal.record(Seen.CANCELLED, key, delivered);
    if (receiverEnd == null) {
      receiverEnd = End.CANCELLED;
    }
  }

  /** Returns whether this flow carries the replies to a request. */
  boolean isReply() {
    return name.startsWith("r");
  }

  boolean isOpened() {
    return opened;
  }

  boolean isSubscribed() {
    return subscribed;
  }

  End senderEnd() {
    return senderEnd;
  }

  Throwable senderError() {
    return senderError;
  }

  End receiverEnd() {
    return receiverEnd;
  }

  Throwable receiverError() {
    return receiverError;
  }

  boolean isUnbounded() {
    return unbounded;
  }

  long openDemand() {
    return unbounded ? Long.MAX_VALUE : requested - delivered;
  }

  @Override
  public String toString() {
    return "flow '" + name + "' " + plan + ": asked " + asked + ", emitted " + emitted
        + ", acknowledged " + acknowledged + ", expired " + expired + ", sender "
        + (opened ? "opened" : "not opened") + " " + senderEnd + " " + senderError + "; requested "
        + (unbounded ? "all" : requested) + ", delivered " + delivered + ", subscriber "
        + (subscribed ? "subscribed" : "not subscribed") + " " + receiverEnd + " " + receiverError;
  }
}
