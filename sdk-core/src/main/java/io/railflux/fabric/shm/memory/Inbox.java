package io.railflux.fabric.shm.memory;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;

/** Combines entries of the mailbox with posted receives, both in order. */
public final class Inbox {

  private final MailboxReader mailbox;
  private final ReceiveRing receives;

  public Inbox(MailboxReader mailbox, int depth) {
    this.mailbox = mailbox;
    this.receives = new ReceiveRing(depth);
  }

  public boolean isEmpty() {
    return receives.isEmpty();
  }

  public boolean isFull() {
    return receives.isFull();
  }

  /** Posts a receive; returns false for an invalid range. */
  public boolean post(long id, LocalMemory memory, int offset, int lengthBytes) {
    boolean usable = ShmLocalMemory.usable(memory, offset, lengthBytes, true);
    if (usable) {
      receives.add(id, (ShmLocalMemory) memory, offset, lengthBytes);
    }
    return usable;
  }

  /**
   * Combines the oldest entry with the oldest receive, which must exist.
   *
   * @param into filled if there is an entry
   */
  public MailboxReader.Found take(Completion into) {
    MailboxReader.Found found = mailbox.peek();
    if (found == MailboxReader.Found.ENTRY) {
      join(into);
      mailbox.consume();
      receives.remove();
    }
    return found;
  }

  /** Returns the oldest receive unused. */
  public Completion flush(Completion into) {
    long id = receives.id();
    receives.remove();
    return into.set(id, Opcode.RECEIVE, CompletionStatus.FLUSHED, 0, 0);
  }

  /** Whether the peer waits for room and must be rung. Called after a batch of {@link #take}. */
  public boolean claimStarved() {
    return mailbox.claimStarved();
  }

  private void join(Completion into) {
    int length = mailbox.length();
    if (mailbox.kind() == MailboxLayout.IMMEDIATE) {
      CompletionStatus status = CompletionStatus.SUCCESS;
      into.set(receives.id(), Opcode.RECEIVE_IMMEDIATE, status, length, mailbox.immediate());
    } else {
      CompletionStatus status = takePayload(length);
      int received = status == CompletionStatus.SUCCESS ? length : 0;
      into.set(receives.id(), Opcode.RECEIVE, status, received, 0);
    }
  }

  private CompletionStatus takePayload(int length) {
    if (length > receives.lengthBytes()) {
      return CompletionStatus.LENGTH;
    }
    // The memory may have been closed since the receive was posted.
    if (!ShmLocalMemory.usable(receives.memory(), receives.offset(), length, true)) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    mailbox.copyPayload(receives.memory().view(), receives.offset());
    return CompletionStatus.SUCCESS;
  }
}
