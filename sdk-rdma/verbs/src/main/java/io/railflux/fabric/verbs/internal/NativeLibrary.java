package io.railflux.fabric.verbs.internal;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;

/** The shared libraries of rdma-core, by the names under which they promise not to change. */
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
   * Loads it into this process, for good.
   *
   * @throws IllegalArgumentException when it is not installed
   * @throws IllegalCallerException when this JVM forbids native access
   */
  public SymbolLookup load() {
    return SymbolLookup.libraryLookup(fileName, Arena.global());
  }
}
