package io.railflux.fabric.verbs.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;

/** Shared libraries of rdma-core, by their stable names. */
public enum NativeLibrary {
  IBVERBS("libibverbs.so.1"),
  RDMACM("librdmacm.so.1");

  private final String fileName;

  NativeLibrary(String fileName) {
    this.fileName = fileName;
  }

  public String fileName() {
    return fileName;
  }

  /**
   * Loads the library into this process permanently.
   *
   * @throws IllegalArgumentException if the library is not installed
   * @throws IllegalCallerException if the JVM forbids native access
   */
  public SymbolLookup load() {
    return SymbolLookup.libraryLookup(fileName, Arena.global());
  }
}
