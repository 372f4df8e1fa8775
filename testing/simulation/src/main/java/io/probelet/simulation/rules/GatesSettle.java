package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.probe.ProbeKind;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.node.ContainerInstance;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Traffic goes where the gate says. */
final class GatesSettle implements Rule {
  private static final String CONDITION = "probelet.io/ready";

  @Override
  public String name() {
    return "gates-settle";
  }

  @Override
  public String reason() {
    return "Once the world is quiet, the readiness condition of each pod says how its containers are.";
  }

  @Override
  public void settled(EndState end, Findings findings) {
    end.objects()
        .forEach((path, object) -> {
          if (ObjectFields.kind(object).equals("Pod") && hasGate(object)) {
            check(end, path, object, findings);
          }
        });
  }

  private static boolean hasGate(JsonNode pod) {
    return ObjectFields.items(pod.at("/spec/readinessGates"))
        .anyMatch(gate -> gate.path("conditionType").asText().equals(CONDITION));
  }

  private void check(EndState end, String path, JsonNode pod, Findings findings) {
    // Only probes by annotation have a say: those of the spec are the kubelet's.
    List<ContainerInstance> instances =
        end.instances().stream()
            .filter(each -> path.equals(ObjectFields.podPath(each.container().pod().ref())))
            .filter(GatesSettle::hasSay)
            .toList();
    boolean ready =
        ObjectFields.annotation(pod, "probelet.io/probes").isEmpty()
            || instances.stream().allMatch(each -> Truth.healthy(each, end.at()));
    Optional<String> shown = ObjectFields.condition(pod, CONDITION);
    findings.check(
        this,
        end.at(),
        shown.equals(Optional.of(ready ? "True" : "False")),
        () ->
            "%s of %s is %s, but its containers are %s"
                .formatted(
                    CONDITION, path, shown.orElse("missing"), ready ? "ready" : "not ready"));
  }

  /** A container that only has a liveness probe is ready whenever the kubelet says so. */
  private static boolean hasSay(ContainerInstance instance) {
    Set<ProbeKind> kinds = instance.container().spec().probes().keySet();
    return kinds.contains(ProbeKind.READINESS) || kinds.contains(ProbeKind.STARTUP);
  }
}
