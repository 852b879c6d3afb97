package io.railflux.fabric.verbs.internal;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.NoSuchElementException;

/**
 * A C function off the hot path.
 *
 * <p>All of them take only pointers and integers. On x86-64 and AArch64 each argument has a register of its own,
 * regardless of its width, and a callee ignores further registers. One signature of {@value #MAX_ARGUMENTS} longs
 * therefore serves all functions. A handle per signature would cost milliseconds at the start of a JVM, and seconds
 * in an emulator.
 *
 * <p>The methods differ in how a function reports failure. Any thread, as far as the function permits.
 */
public final class NativeFunction {

  private static final int MAX_ARGUMENTS = 5;
  private static final StructLayout STATE = Linker.Option.captureStateLayout();
  private static final VarHandle ERRNO =
      STATE.varHandle(MemoryLayout.PathElement.groupElement("errno"));
  private static final MethodHandle CALL = Linker.nativeLinker()
      .downcallHandle(
          FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG),
          Linker.Option.captureCallState("errno"));

  private final String name;
  private final MemorySegment symbol;

  /** @throws NoSuchElementException if the library lacks the function */
  public NativeFunction(SymbolLookup library, String name) {
    this.name = name;
    this.symbol = library.find(name).orElseThrow(() -> new NoSuchElementException(name));
  }

  /** Calls a function that returns a pointer, or NULL with errno. */
  public long pointer(long... arguments) throws NativeFailure {
    Outcome outcome = call(arguments);
    if (outcome.value() == 0) {
      throw new NativeFailure(name, outcome.errno());
    }
    return outcome.value();
  }

  /** Calls a function that returns an int, or -1 with errno. */
  public int valueOrMinusOne(long... arguments) throws NativeFailure {
    Outcome outcome = call(arguments);
    if ((int) outcome.value() == -1) {
      throw new NativeFailure(name, outcome.errno());
    }
    return (int) outcome.value();
  }

  /** Calls a function that returns 0 or an error number. */
  void zeroOrErrorNumber(long... arguments) throws NativeFailure {
    int result = (int) call(arguments).value();
    if (result != 0) {
      throw new NativeFailure(name, result);
    }
  }

  /** Calls a function that cannot fail, or whose failure is irrelevant. The caller narrows the result. */
  public long value(long... arguments) {
    return call(arguments).value();
  }

  private record Outcome(long value, int errno) {}

  private Outcome call(long... arguments) {
    long[] a = Arrays.copyOf(arguments, MAX_ARGUMENTS);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment state = arena.allocate(STATE);
      long value = (long) CALL.invokeExact(symbol, state, a[0], a[1], a[2], a[3], a[4]);
      return new Outcome(value, (int) ERRNO.get(state, 0L));
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(name, e);
    }
  }
}
