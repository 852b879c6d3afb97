package io.railflux.lab;

import io.railflux.pipeline.DeliverySink;

/**
 * The ledger of one flow of messages as somebody sees it who sees both sides. Checks at every signal
 * what must hold then: order, exactly once, demand, acknowledgement after delivery.
 */
final class Flow implements DeliverySink {

  /** How one side ended. */
  enum End {
    COMPLETED,
    FAILED,
    /** Its own doing. */
    CANCELLED
  }

  private static final int PREFETCH = 256;

  final long key;
  final String name;
  final FlowPlan plan;
  final Side from;
  final Side to;
  private final Journal journal;

  // Sending side.
  private long asked;
  private long emitted;
  private long acknowledged;
  private long expired;
  private boolean opened;
  private End senderEnd;
  private Throwable senderError;
  private int served;

  // Receiving side.
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

  /** A request reached its responder. */
  void served() {
    served++;
    opened();
    journal.record(Seen.SERVED, key, served);
    require(served == 1, "a request was served twice");
  }

  /** The pipeline asked the source for more. */
  void asked(long n) {
    asked += n;
    journal.record(Seen.SOURCE_ASKED, key, n);
    require(asked - emitted <= PREFETCH, "asked the source for more than is bounded");
    require(isWithinDemand(asked), "asked the source for more than the far side did");
  }

  private boolean isWithinDemand(long count) {
    // Each message that expired entitles to one more; those that expired over there are
    // unknown here.
    return unbounded || plan.isTimed() || count <= requested;
  }

  Payload emit() {
    Payload payload = new Payload(key, emitted, plan.sizeOf(key, emitted));
    journal.record(Seen.EMITTED, key, emitted);
    emitted++;
    require(isWithinDemand(emitted), "pulled from the source more than the far side asked for");
    require(senderEnd == null || senderEnd != End.COMPLETED, "pulled after completion");
    return payload;
  }

  Payload first() {
    return new Payload(key, 0, plan.sizeOf(key, 0));
  }

  /** The first message left, and is the last; nobody is told what becomes of it. */
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
    require(plan.isTimed() && index < emitted, "expired without having a time to live");
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

  /** The number the next message must have where none may be skipped. */
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
    require(receiverEnd == null, "the subscriber was ended twice");
    receiverEnd = End.COMPLETED;
  }

  void receiverFailed(Throwable error) {
    journal.record(Seen.RECEIVER_FAILED, key, delivered);
    note(error);
    boolean refused = to.channel.isClosed() || to.channel.isClosing();
    // Who is refused hears so even after having cancelled, as with any Flux.error.
    require(
        receiverEnd == null || (receiverEnd == End.CANCELLED && refused && requested == 0),
        "the subscriber was ended twice");
    receiverEnd = End.FAILED;
    receiverError = error;
  }

  /** The subscriber cancelled; what comes after that is a violation. */
  void receiverCancelled() {
    journal.record(Seen.CANCELLED, key, delivered);
    if (receiverEnd == null) {
      receiverEnd = End.CANCELLED;
    }
  }

  /** Whether it answers a request. */
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
