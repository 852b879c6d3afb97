package io.railflux.fabric.verbs;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/** One {@link StreamProcess} for all tests of a run, because a JVM starts very slowly in an emulator. */
final class OneReceiver implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == StreamProcess.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ExtensionContext.Namespace.create(OneReceiver.class))
        .getOrComputeIfAbsent(
            StreamProcess.class, key -> StreamProcess.start(), StreamProcess.class);
  }
}
