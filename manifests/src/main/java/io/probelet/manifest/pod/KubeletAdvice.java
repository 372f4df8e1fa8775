package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.RestartPolicy;
import java.util.List;
import java.util.Map;

/** Warns about probes of the annotation that have less effect if a kubelet runs the containers. */
final class KubeletAdvice {
  private final Field annotation;
  private final RestartPolicy podPolicy;
  private final boolean enforced;

  /**
   * Creates an adviser.
   *
   * @param enforced whether failures stop containers of the pod
   */
  KubeletAdvice(Field annotation, RestartPolicy podPolicy, boolean enforced) {
    this.annotation = annotation;
    this.podPolicy = podPolicy;
    this.enforced = enforced;
  }

  /** D-20: nothing but the gate makes the pod unready for a probe of the annotation. */
  void gateMissing(
      List<ReadContainer> containers, Map<String, Map<ProbeKind, ProbeSpec>> annotated) {
    for (ReadContainer container : containers) {
      if (annotated.getOrDefault(container.name(), Map.of()).containsKey(ProbeKind.READINESS)) {
        annotation.warning(Complaint.NO_EFFECT, ReadinessGates.missing(container.name()));
      }
    }
  }

  void give(List<ReadContainer> containers, Map<String, Map<ProbeKind, ProbeSpec>> annotated) {
    for (ReadContainer container : containers) {
      Map<ProbeKind, ProbeSpec> probes = annotated.getOrDefault(container.name(), Map.of());
      if (container.role() == ContainerRole.SIDECAR
          && probes.containsKey(ProbeKind.STARTUP)
          // D-5: the kubelet waits for its own startup probes only
          && !container.probes().declared().contains(ProbeKind.STARTUP)) {
        annotation.warning(
            "%s.startup does not delay later containers: the kubelet starts them at once; add a"
                    .formatted(container.name())
                + " startupProbe to the spec, which the annotation may change");
      }
      if (enforced
          && probes.keySet().stream().anyMatch(ProbeKind::restartsContainer)
          // D-2: there the container does not restart after exit code 0
          && container.spec(probes).succeedsWithZero(podPolicy)) {
        annotation.warning(
            "%s is not stopped when a probe of this annotation fails: with restartPolicy OnFailure an"
                    .formatted(container.name())
                + " exit code of 0 would count as success");
      }
    }
  }
}
