package io.probelet.agent.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.agent.manifest.field.Problem;
import io.probelet.agent.manifest.field.Problem.Severity;
import io.probelet.agent.metrics.SystemStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Files of node-problem-detector that say which statistics of the machine become metrics.
 *
 * @param names what each wanted metric is called, by node-problem-detector's name for it
 * @param problems what is wrong with the files
 */
record SystemStatsFile(Map<String, String> names, List<Problem> problems) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Reads files; what we do not collect is a warning, and everything else is collected. */
  static SystemStatsFile read(List<Path> files) {
    Map<String, String> names = new LinkedHashMap<>();
    List<Problem> problems = new ArrayList<>();
    for (Path file : files) {
      try {
        JsonNode root = JSON.readTree(Files.readAllBytes(file));
        if (!root.isObject()) {
          problems.add(Problem.ofFile(file, Severity.ERROR, "is no JSON object"));
        }
        for (JsonNode section : root) {
          section
              .path("metricsConfigs")
              .properties()
              .forEach(metric -> {
                String shown = metric.getValue().path("displayName").asText();
                if (shown.isEmpty()) {
                  return; // left out on purpose, as there
                }
                if (SystemStats.NAMES.contains(metric.getKey())) {
                  names.put(metric.getKey(), shown);
                } else {
                  problems.add(
                      Problem.ofFile(
                          file, Severity.WARNING, metric.getKey() + " is not collected, ignored"));
                }
              });
        }
      } catch (JsonProcessingException malformed) {
        problems.add(Problem.ofFile(file, Severity.ERROR, malformed.getOriginalMessage()));
      } catch (IOException unreadable) {
        problems.add(Problem.ofFile(file, Severity.ERROR, "cannot be read: " + unreadable));
      }
    }
    return new SystemStatsFile(names, problems);
  }
}
