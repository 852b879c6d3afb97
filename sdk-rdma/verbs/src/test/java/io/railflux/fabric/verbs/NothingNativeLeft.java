package io.railflux.fabric.verbs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.railflux.fabric.verbs.internal.NativeScope;
import java.util.Map;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Requires after each test that every native object of this process has been released. */
final class NothingNativeLeft implements AfterEachCallback {

  @Override
  public void afterEach(ExtensionContext context) {
    assertEquals(Map.of(), NativeScope.open(), "native objects left behind");
  }
}
