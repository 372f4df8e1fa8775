package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The input of a decision.
 *
 * @param order the NodeOrder with the node's name, whoever's it is; a missing node if there is none
 * @param observed what the kind has read besides
 * @param outcomes what came of the step before, if that was in this term of leadership
 * @param now the wall time as of the beginning of the term of leadership, moved on by the monotonic
 *     clock: setting the clock neither shortens nor lengthens a deadline
 */
public record Situation<S, O>(
    RemediationRequest<S> remediation,
    ObservedNode node,
    JsonNode order,
    O observed,
    List<Outcome> outcomes,
    Instant now) {
  /** Copies the outcomes. */
  public Situation {
    outcomes = List.copyOf(outcomes);
  }

  /** {@return what the remediation's status says so far} */
  public RemediationProgress status() {
    return remediation.status();
  }

  /** {@return what is asked for} */
  public S spec() {
    return remediation.spec();
  }

  /** {@return the order to the node's agent, if there is one and it is this remediation's} */
  public Optional<JsonNode> ownOrder() {
    return Optional.of(order)
        .filter(found -> found.at("/spec/remediation/uid").asText().equals(remediation.uid()));
  }

  /** {@return how long the remediation has been in its phase; zero if that is not known} */
  public Duration inPhase() {
    Instant since = status().phaseTime();
    return since == null || since.isAfter(now) ? Duration.ZERO : Duration.between(since, now);
  }

  /** {@return whether the node has booted since the remediation was begun} */
  public boolean hasBooted() {
    return !status().bootId().isEmpty()
        && !node.bootId().isEmpty()
        && !status().bootId().equals(node.bootId());
  }
}
