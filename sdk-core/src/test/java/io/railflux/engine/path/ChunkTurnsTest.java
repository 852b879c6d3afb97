package io.railflux.engine.path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A transfer is a word, and each letter is a chunk. */
class ChunkTurnsTest {

  private static final Object STREAM = new Object();
  private static final Object OTHER = new Object();

  private final ChunkTurns<String> turns = new ChunkTurns<>();
  private final StringBuilder moved = new StringBuilder();

  /** Moves all chunks. No two words share a letter. */
  private String moveAll() {
    for (String next = turns.peek(); next != null; next = turns.peek()) {
      char letter = next.charAt(0);
      moved.append(letter);
      long chunks = moved.chars().filter(c -> c == letter).count();
      turns.moved(next, chunks == next.length());
    }
    return moved.toString();
  }

  @Test
  void messagesOfAStreamAreMovedInOrder() {
    turns.add(STREAM, "aaa");
    turns.add(STREAM, "bb");
    turns.add(STREAM, "c");

    assertEquals("aaabbc", moveAll());
  }

  @Test
  void streamsTakeTurns() {
    turns.add(STREAM, "aaa");
    turns.add(STREAM, "bb");
    turns.add(OTHER, "xx");

    assertEquals("axaxabb", moveAll());
  }

  @Test
  void requestsTakeTurnsWithStreamsAndOtherRequests() {
    turns.add(STREAM, "aaa");
    turns.add("xx", "xx");
    turns.add("yy", "yy");

    assertEquals("axyaxya", moveAll());
  }

  @Test
  void skipsRemovedTransfers() {
    turns.add(STREAM, "aa");
    turns.add(OTHER, "xx");
    turns.add(STREAM, "bb");
    turns.remove(STREAM, "aa");
    turns.remove(OTHER, "xx");
    turns.remove(OTHER, "unknown");

    assertEquals("bb", moveAll());
  }

  @Test
  void stopsAfterATurnThatEndsAllTransfers() {
    turns.add(STREAM, "aa");
    turns.add(OTHER, "xx");
    List<String> cleared = new ArrayList<>();
    turns.clear(cleared::add);
    turns.moved("aa", false);

    assertEquals(List.of("aa", "xx"), cleared);
    assertNull(turns.peek());
  }
}
