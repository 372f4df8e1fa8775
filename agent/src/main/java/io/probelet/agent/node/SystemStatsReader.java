package io.probelet.agent.node;

import com.google.re2j.Pattern;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node;
import io.probelet.monitor.rule.LinePattern;
import io.probelet.web.machine.MachineStatistics;
import io.probelet.web.machine.StatisticsChoice;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads system-stats files one after the other; what they say together is the choice. */
final class SystemStatsReader {
  /** The parts of the machine, as node-problem-detector has them. */
  static final List<String> SECTIONS = List.of("cpu", "disk", "host", "memory", "net", "osFeature");

  static final String INTERVAL = "invokeInterval";

  private static final String IGNORED = "unknown field, ignored";

  private final Set<String> available = MachineStatistics.available();
  private final Map<String, String> names = new LinkedHashMap<>();
  private boolean rootDisks;
  private boolean mountedDisks;
  private Optional<Pattern> hiddenInterfaces = Optional.empty();
  private Optional<Path> knownModules = Optional.empty();

  /** Returns what the files read so far say together. */
  StatisticsChoice choice() {
    return new StatisticsChoice(names, rootDisks, mountedDisks, hiddenInterfaces, knownModules);
  }

  /** Reads one file. Its keys match in upper and lower case alike, as in Go. */
  void read(Path file, Node root, Problems problems) {
    Scope scope = new Scope(problems, Severity.WARNING, true);
    Fields stats = Field.ofDocument(scope, "", root).object();
    if (stats == null) {
      return;
    }
    stats.field(INTERVAL).duration(); // metrics are read when they are asked for
    for (String name : SECTIONS) {
      Fields section = stats.field(name).object();
      if (section != null) {
        FieldRules.entries(section.field("metricsConfigs")).forEach(this::metric);
        switch (name) {
          case "disk" -> disk(section);
          case "net" -> {
            Field hidden = section.field("excludeInterfaceRegexp");
            Pattern pattern = FieldRules.parsed(hidden, LinePattern::expression);
            hiddenInterfaces = pattern == null ? hiddenInterfaces : Optional.of(pattern);
          }
          case "osFeature" -> {
            Path known = FieldRules.parsed(section.field("knownModulesConfigPath"), Path::of);
            knownModules = known == null ? knownModules : Optional.of(file.resolveSibling(known));
          }
          default -> {}
        }
        section.rejectUnknown(Severity.WARNING, IGNORED);
      }
    }
    stats.rejectUnknown(Severity.WARNING, IGNORED);
  }

  private void disk(Fields section) {
    rootDisks |= section.field("includeRootBlk").bool(false);
    mountedDisks |= section.field("includeAllAttachedBlk").bool(false);
    section.field("lsblkTimeout").duration(); // no program is run for it here
  }

  private void metric(Field field) {
    Fields metric = field.object();
    @Nullable String shown = metric == null ? null : metric.field("displayName").text();
    if (metric != null) {
      metric.rejectUnknown(Severity.WARNING, IGNORED);
    }
    if (shown == null || shown.isEmpty()) {
      return; // left out on purpose, as there
    }
    if (available.contains(field.name())) {
      names.put(field.name(), shown);
    } else {
      field.warning(field.name() + " is not collected, ignored");
    }
  }
}
