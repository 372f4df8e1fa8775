package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.name.QualifiedName;
import java.util.Set;

/** Checks the pod's readiness gates, whose conditions others set. */
final class ReadinessGates {
  private ReadinessGates() {}

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
