package io.probelet.agent.manifest.pod;

import io.probelet.agent.manifest.field.Field;
import io.probelet.agent.manifest.field.Fields;
import java.util.Set;
import java.util.regex.Pattern;

/** Checks the pod's readiness gates, whose conditions others set. */
final class ReadinessGates {
  private static final Pattern QUALIFIED_NAME =
      Pattern.compile(
          "([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

  private ReadinessGates() {}

  static void check(Field list) {
    for (Field item : list.items()) {
      Fields gate = item.object();
      if (gate == null) {
        continue;
      }
      Field type = gate.field("conditionType");
      String name = type.text("");
      if (!QUALIFIED_NAME.matcher(name).matches()) {
        type.invalid("must be a qualified name such as example.com/condition");
      }
      gate.rejectUnknown(Set.of());
    }
  }
}
