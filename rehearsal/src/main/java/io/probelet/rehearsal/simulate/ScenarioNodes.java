package io.probelet.rehearsal.simulate;

import io.probelet.document.selector.LabelSelector;
import io.probelet.nodehealth.simulation.Scenario;
import io.probelet.nodehealth.simulation.Scenario.Change;
import io.probelet.nodehealth.simulation.Scenario.Event;
import io.probelet.nodehealth.simulation.Scenario.NodeGroup;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The labels of a scenario's nodes over time. */
final class ScenarioNodes {
  private ScenarioNodes() {}

  /** Returns whether a selector matches any node at any time. */
  static boolean anySelected(Scenario scenario, LabelSelector selector) {
    if (scenario.nodes().stream().anyMatch(group -> selector.matches(group.labels()))) {
      return true;
    }
    List<Event> labelled =
        scenario.events().stream()
            .filter(event -> event.change() instanceof Change.Label)
            .sorted(Comparator.comparing(Event::at))
            .toList();
    Map<String, Map<String, String>> labels = labelsOf(scenario, labelled);
    for (Event event : labelled) {
      if (event.change() instanceof Change.Label label) {
        for (String node : label.nodes()) {
          Map<String, String> own = labels.getOrDefault(node, new HashMap<>());
          if (label.value() == null) {
            own.remove(label.label());
          } else {
            own.put(label.label(), label.value());
          }
          if (selector.matches(own)) {
            return true;
          }
        }
      }
    }
    return false;
  }

  /** Only nodes whose labels change; there may be a hundred thousand others. */
  private static Map<String, Map<String, String>> labelsOf(
      Scenario scenario, List<Event> labelled) {
    Set<String> changing = new HashSet<>();
    for (Event event : labelled) {
      if (event.change() instanceof Change.Label label) {
        changing.addAll(label.nodes());
      }
    }
    Map<String, Map<String, String>> labels = new HashMap<>();
    for (NodeGroup group : scenario.nodes()) {
      for (String node : group.names()) {
        if (changing.contains(node)) {
          labels.put(node, new HashMap<>(group.labels()));
        }
      }
    }
    return labels;
  }
}
