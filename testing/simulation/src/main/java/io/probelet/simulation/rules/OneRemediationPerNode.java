package io.probelet.simulation.rules;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.simulation.api.ObjectFields;
import io.probelet.simulation.rules.WorldEvent.Written;
import java.util.List;

/** Two remediations of one node would undo each other. */
final class OneRemediationPerNode implements Rule {
  private final Facts facts;

  OneRemediationPerNode(Facts facts) {
    this.facts = facts;
  }

  @Override
  public String name() {
    return "one-remediation-per-node";
  }

  @Override
  public String reason() {
    return "One remediation is in force per node and NodeHealthCheck (N-1, R-18).";
  }

  @Override
  public void saw(WorldEvent event, Findings findings) {
    if (!(event instanceof Written write) || write.before() != null || write.after() == null) {
      return;
    }
    JsonNode created = write.after();
    Remediations.owner(created)
        .ifPresent(check -> {
          List<String> others =
              Remediations.all(facts)
                  .filter(each -> Remediations.owner(each).orElseThrow().equals(check))
                  .filter(each -> Remediations.node(each).equals(Remediations.node(created)))
                  .filter(Remediations::inForce)
                  .filter(each -> !isTimedOut(check, each))
                  .map(each -> ObjectFields.kind(each) + " " + ObjectFields.name(each))
                  .toList();
          findings.check(
              this,
              write.at(),
              others.size() == 1,
              () ->
                  "%s created %s while there are %s"
                      .formatted(write.process(), write.path(), others));
        });
  }

  /** Whether the status of its NodeHealthCheck says that it timed out. */
  private boolean isTimedOut(String check, JsonNode remediation) {
    String uid = ObjectFields.uid(remediation);
    return Remediations.check(facts, check).stream()
        .flatMap(each -> ObjectFields.items(each.at("/status/unhealthyNodes")))
        .flatMap(node -> ObjectFields.items(node.path("remediations")))
        .anyMatch(entry ->
            entry.at("/resource/uid").asText().equals(uid) && entry.hasNonNull("timedOut"));
  }
}
