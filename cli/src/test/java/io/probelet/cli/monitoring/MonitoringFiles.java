package io.probelet.cli.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** What is in deploy/monitoring. */
final class MonitoringFiles {
  static final Path FOLDER = Path.of("..", "deploy", "monitoring");
  static final Path RUNBOOKS = Path.of("..", "docs", "operate", "runbooks");
  private static final ObjectMapper JSON = new ObjectMapper();

  private MonitoringFiles() {}

  /** What promtool gets. */
  static JsonNode rules() throws IOException {
    String text = Files.readString(FOLDER.resolve("prometheusrule.yaml"));
    return JSON.<JsonNode>valueToTree(new Yaml().load(text)).path("spec");
  }

  static List<JsonNode> alerts() throws IOException {
    List<JsonNode> alerts = new ArrayList<>();
    rules().path("groups").forEach(group -> group.path("rules").forEach(alerts::add));
    return alerts;
  }

  /** Dashboards by their file's name. */
  static Map<String, JsonNode> dashboards() throws IOException {
    Map<String, JsonNode> all = new TreeMap<>();
    try (Stream<Path> files = Files.list(FOLDER.resolve("dashboards"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".json")).toList()) {
        all.put(file.getFileName().toString(), JSON.readTree(Files.readString(file)));
      }
    }
    return all;
  }
}
