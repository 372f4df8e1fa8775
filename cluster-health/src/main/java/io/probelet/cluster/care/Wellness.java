package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.cluster.check.CheckResult;
import io.probelet.cluster.check.CheckResult.Unhealthy;
import io.probelet.cluster.object.ObjectHealth;
import java.util.ArrayList;
import java.util.List;

/** Whether all objects of a kind are well; keeps what is wrong, and no object. */
final class Wellness {
  private final List<String> wrong = new ArrayList<>();

  void add(HasMetadata object) {
    if (ObjectHealth.check(object) instanceof Unhealthy(String detail, _)) {
      wrong.add(object.getMetadata().getName() + ": " + detail);
    }
  }

  CheckResult result() {
    return wrong.isEmpty()
        ? CheckResult.healthy()
        : CheckResult.unhealthy(String.join(", ", wrong));
  }
}
