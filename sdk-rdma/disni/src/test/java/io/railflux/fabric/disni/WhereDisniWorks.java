package io.railflux.fabric.disni;

import io.railflux.fabric.Availability;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips what needs the real library and a device, with what is missing as the reason. */
final class WhereDisniWorks implements ExecutionCondition {

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Availability found = new DisniFabricProvider().availability();
    return found.available()
        ? ConditionEvaluationResult.enabled(found.reason())
        : ConditionEvaluationResult.disabled("disni: " + found.reason() + "; " + found.remedy());
  }
}
