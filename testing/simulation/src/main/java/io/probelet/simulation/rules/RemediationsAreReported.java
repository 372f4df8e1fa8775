package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.rules.WorldEvent.ProcessEnded;
import io.probelet.simulation.rules.WorldEvent.Restored;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whoever finds a node rebooted must find out why. */
final class RemediationsAreReported implements Rule {
  /** A remediation that has no event yet. */
  private record Created(String process, String check, String node, String path) {}

  private static final String LEASE = Remediations.LEADER_LEASES + "remediation";

  private final List<Created> unreported = new ArrayList<>();

  @Override
  public String name() {
    return "remediations-are-reported";
  }

  @Override
  public String reason() {
    return "Each remediation that is created has an event, unless its controller ends or loses the"
        + " lead before (R-21).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    switch (event) {
      case Restored _ -> unreported.clear();
      case ProcessEnded ended ->
          unreported.removeIf(created -> created.process().equals(ended.process()));
      case Written write when write.after() != null -> written(write, write.after());
      default -> {}
    }
  }

  private void written(Written write, JsonNode object) {
    Optional<String> check = Remediations.owner(object);
    if (write.before() == null && check.isPresent()) {
      unreported.add(
          new Created(write.process(), check.get(), Remediations.node(object), write.path()));
    } else if (write.path().equals(LEASE)) {
      if (write.before() == null
          || !write.before().at("/spec/acquireTime").equals(object.at("/spec/acquireTime"))) {
        unreported.clear(); // a term has ended, and with it what it had not written yet
      }
    } else if (object.path("reason").asText().equals("RemediationCreated")) {
      reported(write, object);
    }
  }

  /** The events of a node are one object, whose count grows. */
  private void reported(Written write, JsonNode event) {
    String message = event.path("message").asText();
    String node = message.substring(message.lastIndexOf(' ') + 1);
    String check = event.at("/involvedObject/name").asText();
    int before = write.before() == null ? 0 : write.before().path("count").asInt();
    for (int count = event.path("count").asInt(); count > before; count--) {
      unreported.stream()
          .filter(created -> created.node().equals(node) && created.check().equals(check))
          .findFirst()
          .ifPresent(unreported::remove);
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
