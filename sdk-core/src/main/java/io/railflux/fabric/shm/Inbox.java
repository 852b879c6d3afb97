package io.railflux.fabric.shm;

import io.railflux.fabric.Completion;
import io.railflux.fabric.CompletionStatus;
import io.railflux.fabric.LocalMemory;
import io.railflux.fabric.Opcode;

/** Joins what arrives in the mailbox with the receives posted for it, both in order. */
final class Inbox {

  private final MailboxReader mailbox;
  private final ReceiveRing receives;

  Inbox(MailboxReader mailbox, int depth) {
    this.mailbox = mailbox;
    this.receives = new ReceiveRing(depth);
  }

  boolean isEmpty() {
    return receives.isEmpty();
  }

  boolean isFull() {
    return receives.isFull();
  }

  /** Returns whether the range can take a message; it is posted then. */
  boolean post(long id, LocalMemory memory, int offset, int lengthBytes) {
    boolean usable = ShmLocalMemory.usable(memory, offset, lengthBytes, true);
    if (usable) {
      receives.add(id, (ShmLocalMemory) memory, offset, lengthBytes);
    }
    return usable;
  }

  /**
   * Joins the oldest entry with the oldest receive, of which there is one.
   *
   * @param into filled when an entry was found
   */
  MailboxReader.Found take(Completion into) {
    MailboxReader.Found found = mailbox.peek();
    if (found == MailboxReader.Found.ENTRY) {
      join(into);
      mailbox.consume();
      receives.remove();
    }
    return found;
  }

  /** Gives the oldest receive back unused. */
  Completion flush(Completion into) {
    long id = receives.id();
    receives.remove();
    return into.set(id, Opcode.RECEIVE, CompletionStatus.FLUSHED, 0, 0);
  }

  /** After a batch of {@link #take}: whether the peer waits for room and must be rung. */
  boolean claimStarved() {
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
    // Checked again: the memory may have been closed since the receive was posted.
    if (!ShmLocalMemory.usable(receives.memory(), receives.offset(), length, true)) {
      return CompletionStatus.LOCAL_PROTECTION;
    }
    mailbox.copyPayload(receives.memory().view(), receives.offset());
    return CompletionStatus.SUCCESS;
  }
}
