package io.probelet.cluster.care;

import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.NoOpinion;
import io.probelet.checks.result.CheckResult.NotExecuted;
import io.probelet.checks.result.CheckResult.Unhealthy;
import java.util.ArrayList;
import java.util.List;

/** Whether all objects of a kind are healthy; keeps the problems, not the objects. */
final class KindHealth {
  private final List<String> wrong = new ArrayList<>();

  void add(ObjectVerdict object) {
    String name = object.name();
    switch (object.health()) {
      case Unhealthy unhealthy -> wrong.add(name + ": " + unhealthy.detail());
      case NoOpinion(String detail) -> wrong.add(name + ": " + detail);
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
