package io.probelet.cli.status;

import io.probelet.cli.status.AgentClient.TooLargeException;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.web.api.ContainerView;
import io.probelet.web.http.ContainerChoice;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The histories of probes. If all together are too large for one answer, each namespace is asked
 * for in an answer of its own, so that the pods of one namespace cannot hide those of others.
 *
 * @param notes what is not shown, for the user
 */
record ProbeHistories(List<ContainerView> containers, List<String> notes) {
  /** As many fit into an answer unless their messages are long. */
  static final int OUTCOMES = 10_000;

  private static final int LESS = 8;

  /**
   * Asks an agent.
   *
   * @param namespace the only one that is wanted; empty for all
   * @throws IOException if there is no agent or it gave no answer; the message is for the user
   */
  static ProbeHistories read(AgentClient agent, String namespace) throws IOException {
    Map<String, List<ContainerView>> all =
        agent.probed(0, ContainerChoice.ofNamespace(namespace)).stream()
            .filter(each -> namespace.isEmpty() || each.namespace().equals(namespace))
            .collect(
                Collectors.groupingBy(ContainerView::namespace, TreeMap::new, Collectors.toList()));
    if (all.values().stream().mapToInt(ProbeHistories::probes).sum() * ContainerView.MAX_HISTORY
        <= OUTCOMES) {
      try {
        List<ContainerView> fit =
            agent.probed(ContainerView.MAX_HISTORY, ContainerChoice.ofNamespace(namespace));
        return new ProbeHistories(
            fit.stream().filter(each -> all.containsKey(each.namespace())).toList(), List.of());
      } catch (TooLargeException messages) {
        // in parts
      }
    }
    List<ContainerView> containers = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    for (Map.Entry<String, List<ContainerView>> each : all.entrySet()) {
      containers.addAll(read(agent, each.getKey(), probes(each.getValue()), notes));
    }
    return new ProbeHistories(containers, notes);
  }

  private static List<ContainerView> read(
      AgentClient agent, String namespace, int probes, List<String> notes) throws IOException {
    int most = Math.clamp(OUTCOMES / Math.max(1, probes), 1, ContainerView.MAX_HISTORY);
    for (int history = most; history > 0; history /= LESS) {
      try {
        List<ContainerView> found =
            agent.probed(history, ContainerChoice.ofNamespace(namespace)).stream()
                .filter(each -> each.namespace().equals(namespace))
                .toList();
        if (history < ContainerView.MAX_HISTORY) {
          notes.add(
              "… namespace %s has too many outcomes: shows the newest %d of each probe"
                  .formatted(Terminal.line(namespace), history));
        }
        return found;
      } catch (TooLargeException larger) {
        // with less
      }
    }
    notes.add(
        "… namespace %s: the answer is too large, %d probes not shown"
            .formatted(Terminal.line(namespace), probes));
    return List.of();
  }

  private static int probes(List<ContainerView> containers) {
    return containers.stream().mapToInt(each -> each.probes().size()).sum();
  }
}
