package io.probelet.monitor.rule;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads one monitor file and reports all its errors (A-1, A-5, B-9, B-25). */
public final class MonitorReader {
  private static final List<String> PLUGINS =
      List.of("kmsg", "journald", "filelog", "custom", "check", "expression");

  private MonitorReader() {}

  /**
   * Distinguishes monitor files from others.
   *
   * @return whether it has a plugin field and no resource kind
   */
  public static boolean isMonitor(Node root) {
    return root instanceof Node.Mapping mapping
        && !mapping.entries().containsKey("kind")
        && mapping.entries().keySet().stream().anyMatch("plugin"::equalsIgnoreCase);
  }

  /**
   * Reads a file. Its keys are case-insensitive, as in Go.
   *
   * @return the monitor; empty if the file is invalid
   */
  public static Optional<Monitor> read(Node root, Problems problems) {
    int errors = problems.errors();
    Scope scope = new Scope(problems, Severity.WARNING, true);
    Fields monitor = Field.ofDocument(scope, "", root).object();
    Monitor read = monitor == null ? null : read(monitor);
    return problems.errors() == errors ? Optional.ofNullable(read) : Optional.empty();
  }

  private static @Nullable Monitor read(Fields monitor) {
    Field field = monitor.field("plugin");
    String named = FieldRules.requiredText(field, "one of " + String.join(", ", PLUGINS));
    String plugin = named == null ? "" : named.toLowerCase(Locale.ROOT);
    return switch (plugin) {
      case "kmsg", "journald", "filelog" -> LogMonitorReader.read(monitor, plugin);
      case "custom" -> PluginMonitorReader.read(monitor);
      case "check" -> CheckMonitorReader.read(monitor);
      case "expression" -> ExpressionMonitorReader.read(monitor);
      default -> {
        if (named != null) {
          field.unsupported(PLUGINS);
        }
        yield null;
      }
    };
  }
}
