package io.probelet.agent.cluster.pods;

import io.probelet.document.tree.Node;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.ProbedPod;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Limits the kept size of a pod's spec. An object of the API server may have 1.5 MiB, which its
 * author can fill with one probe path or thousands of containers. 250 such pods would exhaust the
 * agent's heap and end all probes of the node.
 */
final class SpecSize {
  /** More than a kubelet could run at once on most nodes, and a hundred times what is usual. */
  static final int MAX_CONTAINERS = 256;

  /** The characters of probes, ports, restart rules and of the variables that probes refer to. */
  static final int MAX_CHARS = 32 * 1024;

  private static final List<String> KEPT =
      List.of(
          "name", "livenessProbe", "readinessProbe", "startupProbe", "ports", "restartPolicyRules");

  private SpecSize() {}

  /** {@return why a pod cannot be probed, if it is too large} */
  static Optional<String> complaint(Mapping pod, ProbedPod probed) {
    int containers = probed.containers().size();
    if (containers > MAX_CONTAINERS) {
      return Optional.of(
          "spec.containers: the pod is not probed: it has %d containers, more than %d"
              .formatted(containers, MAX_CONTAINERS));
    }
    long chars = specChars(pod, probed);
    return chars > MAX_CHARS
        ? Optional.of(
            "spec.containers: the pod is not probed: its probes, ports, restart rules and the"
                + " variables of its exec probes come to %d characters, more than %d"
                    .formatted(chars, MAX_CHARS))
        : Optional.empty();
  }

  private static long specChars(Mapping pod, ProbedPod probed) {
    long chars = 0;
    for (ContainerSpec container : probed.containers()) {
      chars +=
          container.env().entrySet().stream()
              .mapToLong(variable -> variable.getKey().length() + variable.getValue().length())
              .sum();
    }
    if (pod.value("spec") instanceof Mapping spec) {
      chars += charsOf(spec, "containers") + charsOf(spec, "initContainers");
    }
    return chars;
  }

  private static long charsOf(Mapping spec, String list) {
    long chars = 0;
    if (spec.value(list) instanceof Sequence(_, List<Node> containers)) {
      for (Node container : containers) {
        if (container instanceof Mapping named) {
          chars += KEPT.stream().mapToLong(field -> chars(named.value(field))).sum();
        }
      }
    }
    return chars;
  }

  /** Depth is bounded where the text is parsed. */
  private static long chars(@Nullable Node node) {
    return switch (node) {
      case null -> 0;
      case Scalar scalar -> scalar.text().length();
      case Sequence(_, List<Node> items) -> items.stream().mapToLong(SpecSize::chars).sum();
      case Mapping mapping ->
          mapping.entries().entrySet().stream()
              .mapToLong(entry -> entry.getKey().length() + chars(entry.getValue().value()))
              .sum();
    };
  }
}
