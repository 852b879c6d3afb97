package io.railflux.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.railflux.message.layout.ShapeComposer;
import io.railflux.message.layout.Varint;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;

/** Limits of nested records: a peer chooses their depth and the claimed number of elements. */
class HostileRecordsTest {

  private static final int MESSAGE_BYTES = 1 << 20;

  record Tree(String name, List<Tree> children) {}

  @SuppressWarnings("ArrayRecordComponent") // The codec of arrays has to decode arrays.
  record Forest(Forest[] trees) {}

  record Outer(Optional<Middle> middle) {}

  record Middle(Map<String, Inner> inner) {}

  record Inner(List<Innermost> innermost) {}

  record Innermost(Optional<Outer> outer) {}

  /** Every level claims the rest of the message as its elements. */
  private static ByteBuffer nestedClaims(int levels, int bytesBefore) {
    ByteBuffer message = ByteBuffer.allocate(MESSAGE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < levels; i++) {
      message.position(message.position() + bytesBefore);
      Varint.put(message, (message.remaining() - 5) / (bytesBefore + 1));
    }
    return message.rewind();
  }

  private static void assertRejectedWithinMemory(Codec<?> codec, ByteBuffer message) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThrows(IllegalArgumentException.class, () -> codec.decode(message));
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    assertTrue(allocated < 64L * MESSAGE_BYTES, allocated + " B allocated");
  }

  @Test
  void nestedListsWithOverlappingClaimsUseNoMoreMemoryThanTheirElements() {
    assertRejectedWithinMemory(Codecs.record(Tree.class), nestedClaims(250, 1));
  }

  @Test
  void nestedArraysWithOverlappingClaimsUseNoMoreMemoryThanTheirElements() {
    assertRejectedWithinMemory(Codecs.record(Forest.class), nestedClaims(250, 0));
  }

  @Test
  void longListsAndArraysArriveCompletely() {
    for (int length : new int[] {0, 1, 255, 256, 257, 512, 513, 10_000}) {
      Tree[] children = new Tree[length];
      Forest[] trees = new Forest[length];
      for (int i = 0; i < length; i++) {
        children[i] = new Tree("child " + i, List.of());
        trees[i] = new Forest(new Forest[0]);
      }
      Tree tree = new Tree("root", List.of(children));
      assertEquals(tree, Slots.roundTrip(Codecs.record(Tree.class), tree));
      Forest forest = Slots.roundTrip(Codecs.record(Forest.class), new Forest(trees));
      assertEquals(length, forest.trees.length);
    }
  }

  private static Outer outer(int rounds) {
    Outer outer = new Outer(Optional.empty());
    for (int i = 0; i < rounds; i++) {
      Innermost innermost = new Innermost(Optional.of(outer));
      outer = new Outer(Optional.of(new Middle(Map.of("", new Inner(List.of(innermost))))));
    }
    return outer;
  }

  /** The limit equals that of a record that contains itself directly. */
  @Test
  void mutuallyNestedRecordsCountSeparately() {
    Codec<Outer> codec = Codecs.record(Outer.class);
    int most = ShapeComposer.MAX_RECURSION / 4;
    assertEquals(outer(most), Slots.roundTrip(codec, outer(most)));

    Exception refusal =
        assertThrows(IllegalArgumentException.class, () -> Slots.encode(codec, outer(most + 1)));
    assertTrue(refusal.getMessage().contains("more than 256 deep"), refusal.getMessage());
  }

  @Test
  void rejectsMessagesThatExceedTheStack() throws Exception {
    Codec<Outer> codec = Codecs.record(Outer.class);
    byte[] message = Slots.encode(codec, outer(ShapeComposer.MAX_RECURSION / 4));
    FutureTask<Exception> decoding = new FutureTask<>(() -> {
      // Recurses until little of the stack is left.
      return assertThrows(IllegalArgumentException.class, () -> deep(codec, message));
    });
    new Thread(null, decoding, "little stack", 1 << 20).start();
    assertInstanceOf(StackOverflowError.class, decoding.get().getCause());
  }

  @SuppressWarnings("InfiniteRecursion") // Ends with a stack overflow.
  private static Object deep(Codec<?> codec, byte[] message) {
    try {
      deep(codec, message);
    } catch (StackOverflowError e) {
      // This frame is the deepest one, or close to it.
    }
    return Slots.decode(codec, message);
  }
}
