package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.rules.WorldEvent.ProcessEnded;
import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Whoever finds a node rebooted must find out why. */
final class RemediationsAreReported implements Rule {
  /** A remediation that has no event yet. */
  private record Created(long at, String process, String node, String path) {}

  private final List<Created> unreported = new ArrayList<>();

  /** Nodes that an event names; the events of a node are one object, whose count grows. */
  private final Set<String> reported = new HashSet<>();

  @Override
  public String name() {
    return "remediations-are-reported";
  }

  @Override
  public String reason() {
    return "Each node that gets a remediation has an event, unless its controller ends before"
        + " (R-21).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    switch (event) {
      case Restored _ -> {
        unreported.clear();
        reported.clear();
      }
      case ProcessEnded ended ->
          unreported.removeIf(created -> created.process().equals(ended.process()));
      case Written write when write.after() != null -> written(write, write.after());
      default -> {}
    }
  }

  private void written(Written write, JsonNode object) {
    if (write.before() == null && Remediations.owner(object).isPresent()) {
      String node = Remediations.node(object);
      if (!reported.contains(node)) {
        unreported.add(new Created(write.at(), write.process(), node, write.path()));
      }
    } else if (object.path("reason").asText().equals("RemediationCreated")) {
      String message = object.path("message").asText();
      String node = message.substring(message.lastIndexOf(' ') + 1);
      reported.add(node);
      unreported.removeIf(created -> created.node().equals(node));
    }
  }

  @Override
  public void settled(EndState end, Findings findings) {
    findings.check(
        this,
        end.at(),
        unreported.isEmpty(),
        () ->
            "no event says that %s created %s"
                .formatted(unreported.getFirst().process(), unreported.getFirst().path()));
  }
}
