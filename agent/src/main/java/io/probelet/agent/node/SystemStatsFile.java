package io.probelet.agent.node;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import io.probelet.agent.machine.MachineStatistics;
import io.probelet.agent.machine.StatisticsChoice;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Files of node-problem-detector that say which statistics of the machine become metrics.
 *
 * @param choice which
 * @param problems what is wrong with the files
 */
record SystemStatsFile(StatisticsChoice choice, List<Problem> problems) {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int MAX_BYTES = 1 << 20;

  /** Reads files; what we do not collect is a warning, and everything else is collected. */
  static SystemStatsFile read(List<Path> files) {
    Reading reading = new Reading();
    files.forEach(reading::file);
    return new SystemStatsFile(
        new StatisticsChoice(
            reading.names,
            reading.rootDisks,
            reading.mountedDisks,
            reading.hiddenInterfaces,
            reading.knownModules),
        List.copyOf(reading.problems));
  }

  /** What the files read so far say together. */
  private static final class Reading {
    private final Set<String> available = MachineStatistics.available();
    private final Map<String, String> names = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();
    private boolean rootDisks;
    private boolean mountedDisks;
    private Optional<Pattern> hiddenInterfaces = Optional.empty();
    private Optional<Path> knownModules = Optional.empty();

    void file(Path file) {
      try (InputStream in = Files.newInputStream(file)) {
        byte[] content = in.readNBytes(MAX_BYTES + 1);
        JsonNode root =
            content.length > MAX_BYTES ? MissingNode.getInstance() : JSON.readTree(content);
        if (!root.isObject()) {
          problem(file, Severity.ERROR, "is no JSON object of 1 MiB at most");
          return;
        }
        root.forEach(section -> metrics(file, section));
        JsonNode disk = key(root, "disk");
        rootDisks |= key(disk, "includeRootBlk").asBoolean();
        mountedDisks |= key(disk, "includeAllAttachedBlk").asBoolean();
        String hidden = key(key(root, "net"), "excludeInterfaceRegexp").asText();
        if (!hidden.isEmpty()) {
          hiddenInterfaces = Optional.of(Pattern.compile(hidden));
        }
        String known = key(key(root, "osFeature"), "knownModulesConfigPath").asText();
        if (!known.isEmpty()) {
          knownModules = Optional.of(file.resolveSibling(known));
        }
      } catch (PatternSyntaxException malformed) {
        problem(
            file,
            Severity.ERROR,
            "net.excludeInterfaceRegexp is no regular expression in RE2 syntax: "
                + malformed.getMessage());
      } catch (JsonProcessingException malformed) {
        problem(file, Severity.ERROR, malformed.getOriginalMessage());
      } catch (IOException unreadable) {
        problem(file, Severity.ERROR, "cannot be read: " + unreadable);
      }
    }

    private void metrics(Path file, JsonNode section) {
      key(section, "metricsConfigs")
          .properties()
          .forEach(metric -> {
            String shown = key(metric.getValue(), "displayName").asText();
            if (shown.isEmpty()) {
              return; // left out on purpose, as there
            }
            if (available.contains(metric.getKey())) {
              names.put(metric.getKey(), shown);
            } else {
              problem(file, Severity.WARNING, metric.getKey() + " is not collected, ignored");
            }
          });
    }

    /** Keys are the same in upper and lower case, as there. */
    private static JsonNode key(JsonNode object, String name) {
      return object.properties().stream()
          .filter(each -> each.getKey().equalsIgnoreCase(name))
          .map(Map.Entry::getValue)
          .findFirst()
          .orElse(MissingNode.getInstance());
    }

    private void problem(Path file, Severity severity, String text) {
      problems.add(Problem.ofFile(file, severity, text));
    }
  }
}
