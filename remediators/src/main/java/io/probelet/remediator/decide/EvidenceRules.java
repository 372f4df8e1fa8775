package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.Metadata;
import io.probelet.remediator.decide.Action.GrantOrder;
import io.probelet.remediator.decide.Action.PutOrder;
import io.probelet.remediator.decide.Action.WithdrawOrder;
import io.probelet.remediator.order.NodeOrderJson;
import io.probelet.remediator.order.OrderStatus;
import io.probelet.remediator.resource.KeptEvidence;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Evidence before the first action: the node's agent is asked to save the node's state. If there is
 * no agent or it does not respond, the status records that and the remediation continues.
 */
final class EvidenceRules {
  /** ACT-10: an agent needs at most 30 s, plus time to see its order. */
  static final Duration TIMEOUT = Duration.ofSeconds(45);

  /** ACT-10: an agent that accepts orders sees one immediately; in most clusters none does. */
  static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(15);

  private static final Duration AGAIN = Duration.ofSeconds(5);
  private static final Duration SOON = Duration.ofMillis(200);
  private static final int AGENT_SECONDS = 30;

  private EvidenceRules() {}

  /** Decides in the phase Evidence; empty once the kind's own rules may start. */
  static Optional<Step> next(Situation<?, ?> situation) {
    Optional<JsonNode> order = situation.ownOrder();
    if (situation.status().evidence() != null) {
      // The next order to this node takes the place of this one.
      return order.map(
          found -> Step.of(situation.status()).then(withdraw(situation, found)).again(SOON));
    }
    if (order.isPresent()) {
      return Optional.of(ordered(situation, order.get()));
    }
    if (!situation.order().isMissingNode()) {
      return Optional.of(none(situation, "the node already has another order"));
    }
    for (Outcome outcome : situation.outcomes()) {
      if (outcome.action() instanceof PutOrder
          && !outcome.isDone()
          && !(outcome.result() instanceof Unanswered)) {
        return Optional.of(none(situation, "the order was refused: " + outcome.result().summary()));
      }
    }
    return Optional.of(
        isLate(situation)
            ? none(situation, "the order could not be created within 45 s")
            : Step.of(situation.status())
                .then(new PutOrder(situation.node().name(), diagnose(situation)))
                .again(AGAIN));
  }

  private static Step ordered(Situation<?, ?> situation, JsonNode order) {
    OrderStatus status = NodeOrderJson.status(order.path("status"));
    return switch (status.phase()) {
      case DONE -> {
        KeptEvidence kept = status.evidence();
        yield kept == null || kept.name().isEmpty() // which says that there is none
            ? none(situation, "the agent saved nothing: " + status.message())
            : ended(situation, kept);
      }
      case FAILED -> none(situation, "the agent failed: " + status.message());
      case CLAIMED -> {
        boolean grants =
            !isLate(situation)
                && !order.at("/spec/granted").asBoolean()
                && status.bootId().equals(order.at("/spec/bootID").asText());
        Step step = isLate(situation) ? late(situation) : Step.of(situation.status()).again(AGAIN);
        yield grants
            ? step.then(
                new GrantOrder(
                    situation.node().name(), Metadata.uid(order), Metadata.version(order)))
            : step;
      }
      case STARTED ->
          isLate(situation) ? late(situation) : Step.of(situation.status()).again(AGAIN);
      case NONE ->
          situation.inPhase().compareTo(CLAIM_TIMEOUT) >= 0
              ? none(situation, "no agent claimed the order within 15 s")
              : Step.of(situation.status()).again(AGAIN);
    };
  }

  private static boolean isLate(Situation<?, ?> situation) {
    return situation.inPhase().compareTo(TIMEOUT) >= 0;
  }

  private static Step late(Situation<?, ?> situation) {
    return none(situation, "the agent did not respond within 45 s");
  }

  /** ACT-10: missing evidence is recorded too, so that it is not requested again. */
  private static Step none(Situation<?, ?> situation, String why) {
    return ended(situation, new KeptEvidence("", "", 0, List.of("no evidence: " + why)));
  }

  private static Step ended(Situation<?, ?> situation, KeptEvidence kept) {
    String text =
        kept.name().isEmpty()
            ? kept.digest().getFirst()
            : "evidence saved on the node as %s (%d bytes, SHA-256 %s)"
                .formatted(kept.name(), kept.bytes(), kept.sha256());
    RemediationProgress status =
        situation.status().in(RemediationPhase.EVIDENCE, text, situation.now()).with(kept);
    Step step =
        Step.of(status)
            .again(SOON)
            .say(
                kept.name().isEmpty()
                    ? Notice.warning("NoEvidence", text)
                    : Notice.normal(
                        "EvidenceKept", text + ": " + String.join(" | ", kept.digest())));
    return situation.ownOrder().map(order -> step.then(withdraw(situation, order))).orElse(step);
  }

  private static WithdrawOrder withdraw(Situation<?, ?> situation, JsonNode order) {
    return new WithdrawOrder(situation.node().name(), Metadata.uid(order));
  }

  private static JsonNode diagnose(Situation<?, ?> situation) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("action", "Diagnose")
        .put("bootID", situation.node().bootId())
        .put("timeoutSeconds", AGENT_SECONDS)
        .put("reason", Objects.toString(situation.remediation().ref()))
        .put("granted", false);
  }
}
