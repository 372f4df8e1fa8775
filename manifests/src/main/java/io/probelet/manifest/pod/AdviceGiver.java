package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problems;
import io.probelet.manifest.advice.Advice;
import io.probelet.manifest.advice.AdvisedContainer;
import io.probelet.manifest.probe.ProbeReader;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbedPod;
import java.util.List;

/** Adds advice on the probes of a pod at their positions in its manifest. */
final class AdviceGiver {
  private AdviceGiver() {}

  /** Gives advice on a valid pod. */
  static void give(ProbedPod pod, Fields spec, Mode mode, Problems problems) {
    boolean cluster = mode != Mode.STANDALONE_PROCESS;
    if (cluster) {
      new SpecAdviceGiver(spec, problems).give();
    }
    boolean fromNode = cluster && !spec.field("hostNetwork").bool(false);
    boolean gate = ReadinessGates.hasOurs(spec.field("readinessGates"));
    for (String list : List.of("initContainers", "containers")) {
      for (Fields fields : FieldRules.objects(spec.field(list))) {
        String name = fields.field("name").text("");
        for (ContainerSpec container : pod.containers()) {
          if (container.name().equals(name) && container.role() != ContainerRole.INIT) {
            AdvisedContainer probed =
                new AdvisedContainer(
                    container,
                    pod.restartPolicy(),
                    pod.terminationGracePeriod(),
                    !fields.field("ports").isEmpty(),
                    gate && !fields.field(ProbeReader.fieldName(ProbeKind.READINESS)).isPresent(),
                    fromNode,
                    PortsReader.withoutTcp(fields.field("ports")),
                    EnvReader.sourced(fields));
            give(probed, fields, problems);
          }
        }
      }
    }
  }

  private static void give(AdvisedContainer container, Fields fields, Problems problems) {
    for (ProbeKind kind : ProbeKind.values()) {
      Field field = fields.field(ProbeReader.fieldName(kind));
      for (Advice advice : Advice.on(container, kind)) {
        problems.advice(field.at(), field.path(), advice.why(), advice.id());
      }
    }
  }
}
