package io.probelet.nodehealth.policy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.nodehealth.policy.PolicyFacts.State;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** Makes policies for tests of their YAML. */
public final class Policies {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Policies() {}

  /** The whole object, of a spec as YAML. */
  public static JsonNode object(String name, String spec) {
    Object read = new Yaml().load(spec);
    return JSON.valueToTree(
        Map.of(
            "apiVersion",
            RemediationPolicy.API_VERSION,
            "kind",
            RemediationPolicy.KIND,
            "metadata",
            Map.of("name", name, "uid", name + "-uid"),
            "spec",
            read == null ? Map.of() : read));
  }

  public static RemediationPolicy policy(String name, String spec) {
    return RemediationPolicyReader.read(object(name, spec));
  }

  static State state(String spec, int nodes, PastRemediation... history) {
    return new State(policy("limits", spec), nodes, List.of(history));
  }
}
