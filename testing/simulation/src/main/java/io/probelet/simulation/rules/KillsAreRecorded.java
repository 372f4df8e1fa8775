package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.probe.PodRef;
import io.probelet.simulation.node.ContainerStop;
import io.probelet.simulation.rules.WorldEvent.ContainerStopped;
import io.probelet.simulation.rules.WorldEvent.NodePassed;
import io.probelet.simulation.rules.WorldEvent.RecordsLost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Whoever asks a node later why a container was restarted gets an answer. */
final class KillsAreRecorded implements Rule {
  /** Until a record is complete and in its file, and its agent has not ended in between. */
  private static final Duration WRITTEN = Duration.ofSeconds(90);

  /** Restarts and ends of a container that fit beside each other, with room to spare. */
  private static final int MOST_ENDS = 15;

  /** Kinds of records of what is not an end. */
  private static final Set<String> OTHERS = Set.of("held", "unready");

  /** By node: stops that a record must tell of. */
  private final Map<String, List<ContainerStop>> recorded = new HashMap<>();

  private final List<ContainerStop> recent = new ArrayList<>();

  @Override
  public String name() {
    return "kills-are-recorded";
  }

  @Override
  public String reason() {
    return "Every stop of a container has its record on its node, whatever happens there later.";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    switch (event) {
      case ContainerStopped(ContainerStop stop) -> {
        if (stop.process().startsWith("agent") && stop.ran() && !stop.again()) {
          recent.add(stop);
        }
      }
      case NodePassed passed -> {
        for (ContainerStop stop : List.copyOf(recent)) {
          long age = passed.at() - stop.at();
          if (stop.process().equals("agent-" + passed.node()) && age > WRITTEN.toNanos()) {
            recent.remove(stop);
            if (passed.calm().toNanos() > age) {
              recorded.computeIfAbsent(passed.node(), _ -> new ArrayList<>()).add(stop);
            }
          }
        }
      }
      case RecordsLost lost -> recorded.remove(lost.node());
      default -> {}
    }
  }

  @Override
  public void settled(EndState end, Findings findings) {
    recorded.forEach((node, stops) -> {
      List<JsonNode> records = end.records().getOrDefault(node, List.of());
      for (ContainerStop stop : stops) {
        List<JsonNode> own =
            records.stream()
                .filter(each -> isOf(each, stop) && !OTHERS.contains(each.path("kind").asText()))
                .toList();
        findings.check(
            this,
            end.at(),
            own.size() >= MOST_ENDS
                || own.stream()
                    .anyMatch(
                        each -> each.path("containerId").asText().equals(stop.instance().id())),
            () ->
                "%s has %d records of %s/%s, and none says why %s was stopped at %s"
                    .formatted(
                        node,
                        own.size(),
                        stop.instance().container().pod().ref(),
                        stop.instance().container().spec().name(),
                        stop.instance().id(),
                        Duration.ofNanos(stop.at())));
      }
    });
  }

  private static boolean isOf(JsonNode record, ContainerStop stop) {
    PodRef pod = stop.instance().container().pod().ref();
    return record.path("namespace").asText().equals(pod.namespace())
        && record.path("pod").asText().equals(pod.name())
        && record.path("container").asText().equals(stop.instance().container().spec().name());
  }
}
