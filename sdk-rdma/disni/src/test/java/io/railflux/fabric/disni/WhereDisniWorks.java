package io.railflux.fabric.disni;

import io.railflux.fabric.Availability;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips tests that need the real library and a device, and reports the missing part. */
final class WhereDisniWorks implements ExecutionCondition {

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Availability found = new DisniFabricProvider().availability();
    return found.available()
        ? ConditionEvaluationResult.enabled(found.reason())
        : ConditionEvaluationResult.disabled("disni: " + found.reason() + "; " + found.remedy());
  }
}
