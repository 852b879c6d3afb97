package io.railflux.fabric.verbs.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.NoSuchElementException;

/**
 * A C function off the hot path. Pointers are passed and returned as {@code long}.
 *
 * <p>The three ways to call it are the three ways in which these libraries tell a failure. Any thread,
 * as far as the function itself allows.
 */
final class NativeFunction {

  private static final Linker LINKER = Linker.nativeLinker();
  private static final Linker.Option ERRNO = Linker.Option.captureCallState("errno");
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO_FIELD =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));

  private final String name;
  private final MethodHandle handle;

  /** @throws NoSuchElementException when the library has no such function */
  NativeFunction(SymbolLookup library, String name, FunctionDescriptor signature) {
    MemorySegment symbol = library.find(name).orElseThrow(() -> new NoSuchElementException(name));
    this.name = name;
    this.handle = LINKER.downcallHandle(symbol, signature, ERRNO);
  }

  /** A function that returns a pointer, NULL with errno on failure. */
  long pointer(Object... arguments) throws NativeFailure {
    Outcome outcome = call(arguments);
    if (outcome.value() == 0) {
      throw new NativeFailure(name, outcome.errno());
    }
    return outcome.value();
  }

  /** A function that returns a value, -1 with errno on failure. */
  int valueOrMinusOne(Object... arguments) throws NativeFailure {
    Outcome outcome = call(arguments);
    if (outcome.value() == -1) {
      throw new NativeFailure(name, outcome.errno());
    }
    return (int) outcome.value();
  }

  /** A function that returns 0, an error number on failure. */
  void zeroOrErrorNumber(Object... arguments) throws NativeFailure {
    int result = (int) call(arguments).value();
    if (result != 0) {
      throw new NativeFailure(name, result);
    }
  }

  /** A function that cannot fail, or whose failure does not matter any more. */
  long value(Object... arguments) {
    return call(arguments).value();
  }

  private record Outcome(long value, int errno) {}

  private Outcome call(Object... arguments) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      Object[] all = new Object[arguments.length + 1];
      all[0] = state;
      System.arraycopy(arguments, 0, all, 1, arguments.length);
      Object result = handle.invokeWithArguments(all);
      long value = result == null ? 0 : ((Number) result).longValue();
      return new Outcome(value, (int) ERRNO_FIELD.get(state, 0L));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(name, e);
    }
  }
}
