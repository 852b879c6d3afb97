package io.railflux.engine;

import io.railflux.wire.ReceivedFrame;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The call, once a frame, from the engine into a subscriber's pipeline. HotSpot does not inline it.
 *
 * <p>HotSpot inlines 15 calls deep from the method it compiles ({@code MaxInlineLevel}). Which one that
 * is is chance: from one far up in the engine, the limit lay within codec and operators, each access to a
 * buffer was a call, and messages of 4 and 64 KiB went at little more than half their rate. A method
 * handle that is no constant is never inlined, so the depth is counted from here at most.
 */
final class DeliveryCall {

  private static final MethodHandle DELIVER_NOW = find();

  // Not used as a static final, which is a constant to the compiler: it inlines what that calls.
  private final MethodHandle deliverNow = DELIVER_NOW;

  private static MethodHandle find() {
    try {
      MethodType type = MethodType.methodType(String.class, ReceivedFrame.class);
      return MethodHandles.lookup().findVirtual(InboundStream.class, "deliverNow", type);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Engine thread. Returns what the peer did wrong, or null. */
  String deliver(InboundStream stream, ReceivedFrame frame) {
    try {
      return (String) deliverNow.invokeExact(stream, frame);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new AssertionError("a checked exception that nobody declares", e);
    }
  }
}
