package io.railflux;

import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestExecutionResult.Status;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Prints every skipped test with its reason, so that a skipped test does not look like a passed one. */
public final class SkippedTestReporter implements TestExecutionListener {

  public SkippedTestReporter() {}

  @Override
  public void executionSkipped(TestIdentifier test, String reason) {
    print(test, reason);
  }

  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (result.getStatus() == Status.ABORTED) {
      print(test, result.getThrowable().map(Throwable::getMessage).orElse("no reason given"));
    }
  }

  private static void print(TestIdentifier test, String reason) {
    String firstLine = String.valueOf(reason).strip().lines().findFirst().orElse("no reason given");
    System.out.println("SKIPPED " + name(test) + ": " + firstLine);
  }

  private static String name(TestIdentifier test) {
    return test.getSource()
        .map(source -> {
          if (source instanceof MethodSource method) {
            return method.getClassName() + "." + method.getMethodName();
          }
          return source instanceof ClassSource type ? type.getClassName() : test.getDisplayName();
        })
        .orElse(test.getDisplayName());
  }
}
