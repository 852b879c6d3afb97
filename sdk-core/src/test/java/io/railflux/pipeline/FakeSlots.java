package io.railflux.pipeline;

import io.railflux.exceptions.MessageTooLargeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A log with the number of free slots and the clock that a test sets. */
final class FakeSlots implements SlotSource {

  private static final int MAX_BYTES = 64;
  private static final int BODY_OFFSET = 8;

  private final Slot slot = new Slot();
  int room = Integer.MAX_VALUE;
  long now = 1000;
  Runnable waiting;
  int claims;
  /** Remaining messages of the open frame; -1 without an open frame. */
  int frameRoom = -1;

  /** Whether {@link #fill} runs. */
  boolean filling;

  List<String> gathered = new ArrayList<>();

  @Override
  public Slot gather(int maxBodyBytes) {
    return frameRoom > 0 ? cleared() : null;
  }

  @Override
  public void gathered(int bodyBytes) {
    frameRoom--;
    byte[] bytes = new byte[bodyBytes];
    slot.buffer.clear().position(BODY_OFFSET).get(bytes);
    gathered.add(new String(bytes, StandardCharsets.UTF_8));
  }

  /** Counts taken messages at the end, as the engine does. */
  @Override
  public <T> int fill(Filling<T> values, Outgoing<T> outgoing, long most) {
    int added = 0;
    filling = true;
    T value = null;
    try {
      while (added < most && frameRoom > 0 && values.result() != Filling.End.EXHAUSTED) {
        value = values.next();
        if (value == null) {
          values.exhaust();
        }
        if (values.isOver()) {
          break;
        }
        if (value != null) {
          int maxBytes = outgoing.maxBodyBytes(value);
          values.needs(maxBytes);
          if (!outgoing.isBare(value)) {
            break;
          }
          int bytes = Encoding.body(outgoing, value, cleared(), BODY_OFFSET, maxBytes);
          if (values.isOver()) {
            break;
          }
          gathered(bytes);
          added++;
          value = null;
        }
      }
    } catch (Throwable t) {
      values.leave(value);
      value = null;
      values.fail(t);
    }
    filling = false;
    values.leave(value);
    return added;
  }

  private Slot cleared() {
    slot.buffer = ByteBuffer.allocate(BODY_OFFSET + MAX_BYTES);
    slot.bodyOffset = BODY_OFFSET;
    return slot;
  }

  @Override
  public Slot claim(int maxBodyBytes, int metadataBytes, boolean timed, Runnable resume) {
    claims++;
    if (maxBodyBytes > MAX_BYTES) {
      throw new MessageTooLargeException("too large", maxBodyBytes, MAX_BYTES);
    }
    if (room == 0) {
      waiting = resume;
      return null;
    }
    room--;
    return cleared();
  }

  @Override
  public long nowNanos() {
    return now;
  }

  /** Frees slots and continues waiting streams. */
  void grant(int more) {
    room += more;
    if (waiting != null) {
      Runnable resume = waiting;
      waiting = null;
      resume.run();
    }
  }
}
