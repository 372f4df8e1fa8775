package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.checks.object.ObjectHealth;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.NotExecuted;
import io.probelet.checks.result.CheckResult.Unhealthy;
import java.util.ArrayList;
import java.util.List;

/** Whether all objects of a kind are well; keeps what is wrong, and no object. */
final class KindHealth {
  private final List<String> wrong = new ArrayList<>();

  void add(HasMetadata object) {
    String name = object.getMetadata().getName();
    switch (ObjectHealth.check(object)) {
      case Unhealthy unhealthy -> wrong.add(name + ": " + unhealthy.detail());
      case NotExecuted(String detail) -> wrong.add(name + ": " + detail);
      default -> {}
    }
  }

  CheckResult result() {
    return wrong.isEmpty()
        ? CheckResult.healthy()
        : CheckResult.unhealthy(String.join(", ", wrong));
  }
}
