package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.name.QualifiedName;
import java.util.Set;

/** The readiness gates of a pod's spec, whose conditions others set. */
public final class ReadinessGates {
  /** The condition in which agents report the readiness of the annotation's probes. */
  public static final String OURS = "probelet.io/ready";

  private ReadinessGates() {}

  /**
   * {@return the warning for a pod with readiness by annotation and without the gate}
   *
   * @param container the container whose annotation has readiness
   */
  public static String missing(String container) {
    return "%s.readiness has no effect on the pod's Ready condition: add `readinessGates: [{conditionType: %s}]` to the pod's spec"
        .formatted(container, OURS);
  }

  /** {@return whether the readiness of the annotation's probes counts for the pod} */
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
