package io.probelet.manifest;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.probelet.document.field.Problem;
import io.probelet.document.tree.Source;
import io.probelet.fuzz.Bounded;
import io.probelet.manifest.pod.Mode;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.manifest.policy.PodRules;
import io.probelet.manifest.policy.PolicySettings;
import io.probelet.manifest.policy.Preset;
import io.probelet.manifest.policy.ProbeOrigin;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/** The annotation probelet.io/probes, as any tenant may write it. */
class AnnotationFuzzTest {
  @FuzzTest
  void annotation(byte[] data) throws Exception {
    String text = new String(data, StandardCharsets.UTF_8);
    StringBuilder quoted = new StringBuilder();
    text.chars().forEach(c -> quoted.append("\\u%04x".formatted(c)));
    String pod =
        """
        {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "test", "annotations": {
        "probelet.io/probes": "%s"}}, "spec": {"containers": [{"name": "web", "command": ["a"],
        "ports": [{"name": "http", "containerPort": 8080}],
        "livenessProbe": {"httpGet": {"port": "http"}}}]}}
        """
            .formatted(quoted);
    Bounded.run(() -> {
      for (PodRules rules : List.of(rules(Preset.RESTRICTED), rules(Preset.TRUSTED))) {
        FileManifests read =
            FileManifests.read(Path.of("pod.json"), Source.of(pod), Mode.IN_CLUSTER, rules);
        for (Problem problem : read.problems()) {
          Bounded.check(
              problem.toString().length() < 20_000, "a problem as long as what it is about");
        }
      }
    });
  }

  private static PodRules rules(Preset preset) {
    return new PodRules(
        EnumSet.allOf(ProbeOrigin.class),
        Enforcement.ENFORCE,
        Map.of(),
        new PolicySettings(preset, List.of(), List.of()));
  }
}
