package io.probelet.nodehealth.maintenance;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.document.selector.LabelSelector;
import io.probelet.nodehealth.maintenance.Maintenance.Planned;
import io.probelet.nodehealth.policy.Blackout;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.Yaml;

/** Makes Maintenances for tests. */
public final class Maintenances {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Maintenances() {}

  /** The whole object, of a spec as YAML. */
  static JsonNode object(String name, String spec) {
    Object read = new Yaml().load(spec);
    return JSON.valueToTree(
        Map.of(
            "apiVersion",
            Maintenance.API_VERSION,
            "kind",
            Maintenance.KIND,
            "metadata",
            Map.of("name", name, "uid", name + "-uid"),
            "spec",
            read == null ? Map.of() : read));
  }

  /** One of the nodes with these labels, all if there are none. */
  public static Maintenance maintenance(
      String name, Map<String, String> labels, Instant start, Duration duration) {
    return new Maintenance(
        name,
        name + "-uid",
        new LabelSelector(labels, List.of()),
        new Planned(new Blackout(start, start.plus(duration)), "kernel"));
  }
}
