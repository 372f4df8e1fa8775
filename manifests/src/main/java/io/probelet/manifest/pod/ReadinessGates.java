package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.name.QualifiedName;
import java.util.Set;

/** Checks the pod's readiness gates, whose conditions other programs set. */
final class ReadinessGates {
  /** The condition in which agents report the readiness of the annotation's probes. */
  private static final String OURS = "probelet.io/ready";

  private ReadinessGates() {}

  /** {@return whether the pod has the gate for the readiness of the annotation's probes} */
  static boolean hasOurs(Field list) {
    return FieldRules.objects(list).stream()
        .anyMatch(gate -> gate.field("conditionType").text("").equals(OURS));
  }

  static void check(Field list) {
    for (Field item : list.items()) {
      Fields gate = item.objectOrEmpty();
      if (gate == null) {
        continue;
      }
      Field type = gate.field("conditionType");
      if (!QualifiedName.isValid(type.text(""))) {
        type.invalid("must be a qualified name such as example.com/condition");
      }
      gate.rejectUnknown(Set.of());
    }
  }
}
