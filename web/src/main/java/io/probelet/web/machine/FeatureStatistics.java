package io.probelet.web.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.prometheus.metrics.model.snapshots.Labels;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** What the kernel was started with and has loaded: 1 for a feature that is there, else 0. */
final class FeatureStatistics {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FEATURE = "os_feature";

  /** The word of a module's line in {@code modules} that says what it taints the kernel with. */
  private static final int TAINTS = 6;

  private final ProcFiles proc;
  private final Optional<Path> knownModules;

  FeatureStatistics(ProcFiles proc, Optional<Path> knownModules) {
    this.proc = proc;
    this.knownModules = knownModules;
  }

  Stream<Statistic> all() {
    return Stream.of(Statistic.gauge("system/os_feature", this::features));
  }

  private Map<Labels, Double> features() throws IOException {
    Map<String, String> arguments = arguments();
    Map<Labels, Double> values = new LinkedHashMap<>();
    put(values, "KTD", is(arguments, "csm.enabled"));
    put(values, "UnifiedCgroupHierarchy", is(arguments, "systemd.unified_cgroup_hierarchy"));
    put(
        values,
        "KernelModuleIntegrity",
        is(arguments, "module.sig_enforce") && is(arguments, "loadpin.enabled"));
    Set<String> known = known();
    Set<String> unknown = new TreeSet<>();
    boolean gpu = false;
    for (String line : proc.lines("modules")) {
      String[] words = ProcFiles.words(line);
      boolean foreign = words.length > TAINTS && words[TAINTS].matches(".*[PO].*");
      if (words[0].contains("nvidia")) {
        gpu = true;
      } else if (foreign && !known.contains(words[0])) {
        unknown.add(words[0]);
      }
    }
    put(values, "GPUSupport", gpu);
    if (unknown.isEmpty()) {
      put(values, "UnknownModules", false);
    } else {
      values.put(Labels.of(FEATURE, "UnknownModules", "value", String.join(",", unknown)), 1.0);
    }
    return values;
  }

  private static void put(Map<Labels, Double> values, String feature, boolean there) {
    values.put(Labels.of(FEATURE, feature), there ? 1.0 : 0.0);
  }

  private static boolean is(Map<String, String> arguments, String key) {
    return arguments.getOrDefault(key, "").equals("1");
  }

  private Map<String, String> arguments() throws IOException {
    Map<String, String> arguments = new HashMap<>();
    for (String argument : List.of(proc.words("cmdline", ""))) {
      int equals = argument.indexOf('=');
      if (equals > 0) {
        arguments.put(
            argument.substring(0, equals), argument.substring(equals + 1).replace("\"", ""));
      }
    }
    return arguments;
  }

  /** As with node-problem-detector, without a list none is known. */
  private Set<String> known() throws IOException {
    Set<String> known = new HashSet<>();
    if (knownModules.isPresent()) {
      for (JsonNode module :
          JSON.readTree(String.join("\n", ProcFiles.lines(knownModules.get())))) {
        known.add(module.path("moduleName").asText());
      }
    }
    return known;
  }
}
