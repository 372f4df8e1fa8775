package io.probelet.agent.status;

import io.probelet.agent.api.ContainerView;
import io.probelet.agent.api.ContainerView.OutcomeView;
import io.probelet.agent.api.ContainerView.ProbeView;
import io.probelet.agent.api.NodeView;
import io.probelet.agent.api.Rfc3339;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Something that happened on a node lately.
 *
 * @param time when, RFC 3339 in UTC
 * @param object what it happened to: a container and its probe, or the monitor that noticed it
 * @param reason one word for programs
 * @param message a sentence for people
 */
record Happening(String time, String object, String reason, String message) {
  private static final String FAILED = "ProbeFailed";
  private static final String ERROR = "ProbeError";
  private static final String RECOVERED = "ProbeRecovered";

  /**
   * {@return what the agent remembers, oldest first: events of the node, and each probe that began
   * to fail, could not be carried out any more, or succeeded again}
   *
   * @param node as the agent shows it
   * @param containers with the history of their probes
   */
  static List<Happening> of(NodeView node, List<ContainerView> containers) {
    List<Happening> all = new ArrayList<>();
    node.events()
        .forEach(event ->
            all.add(new Happening(event.time(), event.source(), event.reason(), event.message())));
    for (ContainerView container : containers) {
      container.probes().forEach(probe -> add(all, container, probe));
    }
    all.sort(Comparator.comparing((Happening each) -> Rfc3339.readOrEpoch(each.time())));
    return all;
  }

  private static void add(List<Happening> all, ContainerView container, ProbeView probe) {
    String object =
        container.namespace()
            + "/"
            + container.pod()
            + "/"
            + container.container()
            + " "
            + probe.kind();
    String state = RECOVERED; // that it is well from the beginning is no news
    for (OutcomeView outcome : probe.outcomes()) {
      String now =
          switch (outcome.result()) {
            case "failed" -> FAILED;
            case "error" -> ERROR;
            default -> RECOVERED;
          };
      if (!now.equals(state)) {
        all.add(new Happening(outcome.time(), object, now, outcome.message()));
        state = now;
      }
    }
  }
}
