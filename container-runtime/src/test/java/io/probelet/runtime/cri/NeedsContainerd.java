package io.probelet.runtime.cri;

import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Lets tests run where containers can be run, and says loudly which way it went. */
public final class NeedsContainerd implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (context.getTestMethod().isPresent()) {
      return ConditionEvaluationResult.enabled("decided for the class");
    }
    String tests = context.getDisplayName();
    return PrivateContainerd.obstacle()
        .map(why -> {
          System.out.println(tests + ": SKIPPED, nothing is known of real containers: " + why);
          return ConditionEvaluationResult.disabled(why);
        })
        .orElseGet(() -> {
          System.out.println(tests + ": running against a real containerd and runc");
          return ConditionEvaluationResult.enabled("containerd is there");
        });
  }
}
