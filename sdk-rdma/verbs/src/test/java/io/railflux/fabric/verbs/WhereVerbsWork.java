package io.railflux.fabric.verbs;

import io.railflux.fabric.Availability;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Skips tests that need an RDMA device, and reports the missing part. */
final class WhereVerbsWork implements ExecutionCondition {

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    Availability found = new VerbsFabricProvider().availability();
    return found.available()
        ? ConditionEvaluationResult.enabled(found.reason())
        : ConditionEvaluationResult.disabled(found.reason() + "; " + found.remedy());
  }
}
