package io.railflux.engine;

import io.railflux.wire.ReceivedFrame;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The call, once a frame, that leads from the engine into a subscriber's pipeline, and that HotSpot does
 * not look through.
 *
 * <p>It inlines 15 calls deep from the method it compiles ({@code MaxInlineLevel}). That method was one
 * of the engine, by chance a nearer or a farther one, and from the farther ones the limit lay within
 * codec and operators: there each access to a buffer was a call, and 4 and 64 KiB messages went at half
 * their rate. Calls of a method handle that is no constant are never inlined, so what a subscriber
 * runs is compiled from here on.
 */
final class DeliveryCall {

  private static final MethodHandle DELIVER_NOW = find();

  // Of the object: what a class holds is a constant to the compiler.
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
      throw new AssertionError("deliverNow declares no exception", e);
    }
  }
}
