package io.probelet.monitor.rule;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads one monitor file and says everything that is wrong with it (A-1, A-5, B-9). */
public final class MonitorReader {
  private MonitorReader() {}

  /**
   * What a file came to.
   *
   * @param read the monitor; null if the file is refused
   * @param findings everything that is wrong, refusals and remarks
   */
  public record Reading(@Nullable Monitor read, List<Finding> findings) {
    /** Copies the findings. */
    public Reading {
      findings = List.copyOf(findings);
    }

    /** {@return the monitor; empty if the file is refused} */
    public Optional<Monitor> monitor() {
      return Optional.ofNullable(read);
    }
  }

  /**
   * Tells monitor files from others.
   *
   * @param root a document
   * @return whether it says which plugin it is for, and not which kind of resource
   */
  public static boolean isMonitor(JsonNode root) {
    return root.isObject()
        && !root.has("kind")
        && root.propertyStream().anyMatch(key -> key.getKey().equalsIgnoreCase("plugin"));
  }

  /**
   * Reads a file.
   *
   * @param root its content
   * @return the monitor, or why not
   */
  public static Reading read(JsonNode root) {
    List<Finding> findings = new ArrayList<>();
    MonitorKeys keys = new MonitorKeys(List.of(), root, findings);
    Monitor monitor = read(keys);
    return new Reading(findings.stream().anyMatch(Finding::fatal) ? null : monitor, findings);
  }

  private static @Nullable Monitor read(MonitorKeys keys) {
    String plugin =
        keys.required("plugin", "one of kmsg, journald, filelog, custom, check")
            .toLowerCase(Locale.ROOT);
    return switch (plugin) {
      case "kmsg", "journald", "filelog" -> LogMonitorReader.read(keys, plugin);
      case "custom" -> PluginMonitorReader.read(keys);
      case "check" -> CheckMonitorReader.read(keys);
      default -> {
        if (!plugin.isBlank()) {
          keys.error(
              "plugin", "\"" + plugin + "\" is none of kmsg, journald, filelog, custom, check");
        }
        yield null;
      }
    };
  }
}
