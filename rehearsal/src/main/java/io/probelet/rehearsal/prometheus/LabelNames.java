package io.probelet.rehearsal.prometheus;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Maps label names of Prometheus to those of nodes. kube-state-metrics keeps only letters, digits
 * and underscores: {@code topology.kubernetes.io/zone} becomes {@code
 * label_topology_kubernetes_io_zone}.
 */
final class LabelNames {
  private static final String PREFIX = "label_";
  private static final Pattern OTHERS = Pattern.compile("[^a-zA-Z0-9_]");
  private static final Pattern CAPITAL = Pattern.compile("([a-z0-9])([A-Z])");
  private static final List<String> WELL_KNOWN =
      List.of(
          "kubernetes.io/arch",
          "kubernetes.io/hostname",
          "kubernetes.io/os",
          "node.kubernetes.io/instance-type",
          "node-role.kubernetes.io/control-plane",
          "node-role.kubernetes.io/infra",
          "node-role.kubernetes.io/master",
          "node-role.kubernetes.io/worker",
          "topology.kubernetes.io/region",
          "topology.kubernetes.io/zone");

  private final Map<String, String> names = new HashMap<>();

  /** Knows the well-known names and these. */
  LabelNames(Set<String> more) {
    WELL_KNOWN.forEach(this::add);
    more.forEach(this::add);
  }

  private void add(String name) {
    String plain = OTHERS.matcher(name).replaceAll("_");
    names.put(PREFIX + plain, name);
    names.put(PREFIX + CAPITAL.matcher(plain).replaceAll("$1_$2").toLowerCase(Locale.ROOT), name);
  }

  /**
   * The labels of a node.
   *
   * @return by their full names; unknown names stay as Prometheus has them
   */
  Map<String, String> of(Map<String, String> series) {
    Map<String, String> labels = new HashMap<>();
    series.forEach((name, value) -> {
      if (name.startsWith(PREFIX)) {
        labels.put(names.getOrDefault(name, name.substring(PREFIX.length())), value);
      }
    });
    return labels;
  }
}
