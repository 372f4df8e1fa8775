package io.probelet.cli.status;

import io.probelet.fleet.terminal.Terminal;
import io.probelet.health.OneLine;
import io.probelet.health.ShortText;
import io.probelet.web.api.Rfc3339;
import io.probelet.web.incident.ExplainedIncident;
import io.probelet.web.incident.Incident;
import io.probelet.web.page.Ago;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Causes of incidents as lines for a terminal, one paragraph for each container. */
final class WhyText {
  private static final int MAX_EARLIER = 5;
  private static final int MAX_LOG = 5;
  private static final int MAX_LINE = 500;

  private WhyText() {}

  /**
   * {@return the lines, without control characters}
   *
   * @param incidents newest first
   */
  static List<String> of(List<ExplainedIncident> incidents, Instant now) {
    Map<String, List<ExplainedIncident>> containers = new LinkedHashMap<>();
    for (ExplainedIncident each : incidents) {
      containers.computeIfAbsent(name(each.incident()), _ -> new ArrayList<>()).add(each);
    }
    List<String> lines = new ArrayList<>();
    containers.forEach((name, own) -> {
      if (!lines.isEmpty()) {
        lines.add("");
      }
      lines.add(name);
      newest(own.getFirst(), now, lines);
      earlier(own, now, lines);
    });
    return lines.stream().map(line -> Terminal.line(ShortText.of(line, MAX_LINE))).toList();
  }

  /** Incidents of one workload's container with the same cause. */
  private record Group(String workload, String kind, String cause) {}

  /**
   * {@return a paragraph for each workload's container and cause, the most frequent first}
   *
   * @param incidents of the whole cluster, newest first
   * @param more how many paragraphs are shown at most
   */
  static List<String> byWorkload(List<ExplainedIncident> incidents, Instant now, int more) {
    Map<Group, List<ExplainedIncident>> groups = new LinkedHashMap<>();
    for (ExplainedIncident each : incidents) {
      Incident incident = each.incident();
      groups
          .computeIfAbsent(
              new Group(
                  incident.namespace() + "/" + incident.workload() + " " + incident.container(),
                  incident.kind().label(),
                  each.cause().type().label()),
              _ -> new ArrayList<>())
          .add(each);
    }
    List<String> lines = new ArrayList<>();
    groups.entrySet().stream()
        .sorted(Comparator.comparingInt(group -> -group.getValue().size()))
        .limit(more)
        .forEach(group -> {
          List<ExplainedIncident> own = group.getValue();
          long pods = own.stream().map(each -> each.incident().pod()).distinct().count();
          lines.add(
              "%s: %s, %s, %d time%s in %d pod%s"
                  .formatted(
                      group.getKey().workload(),
                      group.getKey().kind(),
                      group.getKey().cause(),
                      own.size(),
                      own.size() == 1 ? "" : "s",
                      pods,
                      pods == 1 ? "" : "s"));
          ExplainedIncident newest = own.getFirst();
          lines.add("  " + newest.cause().text());
          lines.add(
              "  last %s in %s, confidence: %s"
                  .formatted(
                      ago(newest.incident(), now),
                      newest.incident().pod(),
                      newest.cause().confidence().label()));
        });
    if (groups.size() > more) {
      lines.add("and " + (groups.size() - more) + " more causes; -o json has all");
    }
    return lines.stream().map(line -> Terminal.line(ShortText.of(line, MAX_LINE))).toList();
  }

  /** {@return a container by namespace, pod and name} */
  static String name(Incident incident) {
    return incident.namespace() + "/" + incident.pod() + "/" + incident.container();
  }

  private static void newest(ExplainedIncident newest, Instant now, List<String> lines) {
    lines.add("  " + newest.cause().text());
    lines.add(
        "  %s, confidence: %s%s"
            .formatted(
                ago(newest.incident(), now),
                newest.cause().confidence().label(),
                newest.pattern().isEmpty() ? "" : "; " + newest.pattern()));
    newest.cause().evidence().forEach(fact -> lines.add("    - " + fact));
    List<String> log = newest.incident().log();
    if (!log.isEmpty()) {
      lines.add("  Last lines of its log:");
      log.subList(Math.max(0, log.size() - MAX_LOG), log.size())
          .forEach(line -> lines.add("    " + OneLine.of(line, MAX_LINE)));
    }
  }

  private static void earlier(List<ExplainedIncident> own, Instant now, List<String> lines) {
    if (own.size() == 1) {
      return;
    }
    lines.add("  Earlier:");
    own.stream()
        .skip(1)
        .limit(MAX_EARLIER)
        .forEach(
            each -> lines.add("    " + ago(each.incident(), now) + ": " + each.cause().sentence()));
    if (own.size() > MAX_EARLIER + 1) {
      lines.add("    and %d more".formatted(own.size() - MAX_EARLIER - 1));
    }
  }

  private static String ago(Incident incident, Instant now) {
    return Ago.text(Rfc3339.readOrEpoch(incident.time()), now);
  }
}
