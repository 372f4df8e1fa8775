package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.probe.PodRef;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.node.ContainerStop;
import io.probelet.simulation.rules.WorldEvent.ContainerStopped;
import io.probelet.simulation.rules.WorldEvent.NodePassed;
import io.probelet.simulation.rules.WorldEvent.ProcessEnded;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whoever looks for the reason of a restart must find it. */
final class KillsAreReported implements Rule {
  private static final long BEFORE = Duration.ofMinutes(3).toNanos();
  private static final Set<String> REASONS = Set.of("Killing", "Evicting", "Deleting");

  /** A pod with as many events has to wait for more: all of them, or those of one kind. */
  private static final int BUDGET = 15;

  private static final int REPEATS = 3;

  /** From a stop to its event where nothing is in the way. */
  private static final Duration SOON = Duration.ofSeconds(100);

  private final List<ContainerStop> unreported = new ArrayList<>();

  /** Namespaces that took no events for a while. */
  private Set<String> refused = Set.of();

  /** Pods that have had a stop before, whose events may wait for each other. */
  private final Set<String> stopped = new HashSet<>();

  /** The first stop of each pod, while it is unreported. */
  private final List<ContainerStop> first = new ArrayList<>();

  private final List<Reported> events = new ArrayList<>();

  /** Writes of events by pod. */
  private final Map<String, Integer> writes = new HashMap<>();

  /** Writes of events about stops, by pod. */
  private final Map<String, Integer> kills = new HashMap<>();

  private record Reported(long at, String pod, String fieldPath) {}

  @Override
  public String name() {
    return "kills-are-reported";
  }

  @Override
  public String reason() {
    return "Every stop of a container has its event, unless its agent ends before it is written"
        + " (D-6).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (event instanceof ContainerStopped(ContainerStop stop)
        && stop.process().startsWith("agent")
        && stop.ran()
        && !stop.again()) {
      boolean isFirst = stopped.add(name(stop));
      if (events.stream().noneMatch(each -> reports(each, stop))) {
        unreported.add(stop);
        if (isFirst && writes.getOrDefault(name(stop), 0) < BUDGET - REPEATS) {
          first.add(stop);
        }
      }
    } else if (event instanceof ProcessEnded ended) {
      unreported.removeIf(stop -> stop.process().equals(ended.process()));
      first.removeIf(stop -> stop.process().equals(ended.process()));
    } else if (event instanceof NodePassed passed) {
      passed(passed, findings);
    } else if (event instanceof Written write
        && write.after() != null
        && ObjectFields.kind(write.after()).equals("Event")) {
      written(write, write.after());
    }
  }

  private void passed(NodePassed passed, Findings findings) {
    refused = passed.refused();
    for (ContainerStop stop : first) {
      PodRef pod = stop.instance().container().pod().ref();
      if (stop.process().equals("agent-" + passed.node())
          && passed.at() - stop.at() > SOON.toNanos()
          && passed.calm().compareTo(SOON) > 0
          && !passed.refused().contains(pod.namespace())) {
        findings.check(
            this,
            passed.at(),
            false,
            () ->
                "no event says since %s that %s stopped %s"
                    .formatted(Duration.ofNanos(stop.at()), stop.process(), name(stop)));
      }
    }
  }

  private void written(Written write, JsonNode event) {
    JsonNode object = event.path("involvedObject");
    String pod = object.path("namespace").asText() + "/" + object.path("name").asText();
    if (write.process().startsWith("agent")) {
      writes.merge(pod, 1, Integer::sum);
    }
    if (REASONS.contains(event.path("reason").asText())) {
      Reported reported = new Reported(write.at(), pod, object.path("fieldPath").asText());
      events.removeIf(each -> each.at() < write.at() - BEFORE);
      events.add(reported);
      kills.merge(pod, 1, Integer::sum);
      unreported.removeIf(stop -> reports(reported, stop));
      first.removeIf(stop -> reports(reported, stop));
    }
  }

  private static boolean reports(Reported event, ContainerStop stop) {
    return event.at() >= stop.at() - BEFORE
        && event.pod().equals(name(stop))
        && event.fieldPath().contains("{" + stop.instance().container().spec().name() + "}");
  }

  private static String name(ContainerStop stop) {
    PodRef pod = stop.instance().container().pod().ref();
    return pod.namespace() + "/" + pod.name();
  }

  @Override
  public void settled(EndState end, Findings findings) {
    unreported.removeIf(stop ->
        refused.contains(stop.instance().container().pod().ref().namespace())
            || writes.getOrDefault(name(stop), 0) >= BUDGET
            || kills.getOrDefault(name(stop), 0) >= REPEATS);
    findings.check(
        this,
        end.at(),
        unreported.isEmpty(),
        () ->
            "no event says that %s stopped %s at %s"
                .formatted(
                    unreported.getFirst().process(),
                    name(unreported.getFirst()),
                    Duration.ofNanos(unreported.getFirst().at())));
  }
}
