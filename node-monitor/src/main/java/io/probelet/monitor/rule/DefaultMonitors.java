package io.probelet.monitor.rule;

import io.probelet.document.field.Problems;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import io.probelet.monitor.rule.Monitor.Checks;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The built-in monitors for a typical Linux node. */
public final class DefaultMonitors {
  private static final String FOLDER = "/io/probelet/monitor/defaults/";

  private DefaultMonitors() {}

  /**
   * Adds the built-in monitors to the user's. A built-in rule without anything to observe detects
   * this itself (B-17). The user's checks and conditions replace built-in ones of the same kind.
   */
  public static List<Monitor> with(List<Monitor> own) {
    List<Monitor> monitors = new ArrayList<>(List.of(read("kernel.json"), read("services.json")));
    Checks checks = checks(own);
    if (!checks.rules().isEmpty()) {
      monitors.add(checks);
    }
    monitors.addAll(own);
    return List.copyOf(monitors);
  }

  private static Checks checks(List<Monitor> own) {
    Set<CheckKind> about = EnumSet.noneOf(CheckKind.class);
    Map<String, ConditionSpec> conditions = new HashMap<>();
    for (Monitor monitor : own) {
      if (monitor instanceof Checks checks) {
        about.addAll(checks.about());
        checks.conditions().forEach(spec -> conditions.putIfAbsent(spec.type(), spec));
      }
    }
    Checks all = (Checks) read("checks.json");
    return new Checks(
        all.source(),
        all.metricsReporting(),
        all.conditions().stream().map(spec -> conditions.getOrDefault(spec.type(), spec)).toList(),
        all.rules().stream().filter(rule -> !about.contains(rule.kind())).toList(),
        all.about());
  }

  /**
   * Reads a built-in file.
   *
   * @param name {@code kernel.json}, {@code services.json} or {@code checks.json}
   */
  static Monitor read(String name) {
    try (InputStream in = DefaultMonitors.class.getResourceAsStream(FOLDER + name)) {
      if (in == null) {
        throw new IllegalStateException("Probelet's jar lacks " + name);
      }
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      Node root = Document.json(Source.of(text)).root();
      Problems problems = new Problems(Path.of(name), 1);
      return Optional.ofNullable(root)
          .flatMap(monitor -> MonitorReader.read(monitor, problems))
          .orElseThrow(() -> new IllegalStateException(name + ": " + problems.all()));
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
