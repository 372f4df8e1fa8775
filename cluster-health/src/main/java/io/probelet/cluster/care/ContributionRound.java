package io.probelet.cluster.care;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseSpec;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.checks.condition.ConditionJson;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.cluster.care.ClusterHealthSpec.Contribution;
import io.probelet.cluster.care.ClusterHealthSpec.Heartbeat;
import io.probelet.document.selector.LabelSelector;
import io.probelet.health.GoDuration;
import io.probelet.health.TimeSource;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the conditions that other controllers contribute, unless they are stale (CH-26). */
final class ContributionRound {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ClusterReader reader;
  private final TimeSource time;
  private final Map<String, ContributionReview> byType = new LinkedHashMap<>();

  ContributionRound(ClusterReader reader, TimeSource time) {
    this.reader = reader;
    this.time = time;
  }

  /**
   * Reads the conditions of the resources of one kind.
   *
   * @throws KubernetesClientException if they cannot be listed
   */
  void read(Contribution contribution) {
    Silence silence = silence(contribution);
    reader.each(
        reader.kind(contribution.apiVersion(), contribution.kind()),
        contribution.namespaces(),
        LabelSelector.EVERYTHING,
        object -> take(contribution, object, silence));
  }

  /** {@return the findings by type, in the order in which they were read} */
  Map<String, ContributionReview> byType() {
    return byType;
  }

  /** Returns why a contributor's conditions are stale. */
  private record Silence(ConditionFinding.@Nullable Unknown why) {}

  private void take(Contribution contribution, GenericKubernetesResource object, Silence silence) {
    JsonNode conditions =
        JSON.<JsonNode>valueToTree(object.getAdditionalProperties()).at("/status/conditions");
    for (JsonNode entry : conditions) {
      String type = ConditionJson.type(entry);
      if (!contribution.conditionTypes().contains(type)) {
        continue;
      }
      ContributionReview review = byType.computeIfAbsent(type, any -> new ContributionReview());
      if (silence.why() != null) {
        review.silent(silence.why());
      } else {
        ConditionJson.read(entry)
            .ifPresentOrElse(
                condition -> review.add(object, condition),
                () -> review.unreadable(object, entry.path("status").asText()));
      }
    }
  }

  // CH-44: without a current lease the contributor's conditions are stale.
  private Silence silence(Contribution contribution) {
    Heartbeat heartbeat = contribution.heartbeat();
    if (heartbeat == null) {
      return new Silence(null);
    }
    String lease = "Lease \"" + heartbeat.namespace() + "/" + heartbeat.name() + "\"";
    Instant renewed;
    try {
      renewed = renewed(heartbeat);
    } catch (KubernetesClientException e) {
      return new Silence(
          new ConditionFinding.Unknown(
              "the heartbeat of "
                  + contribution.kind()
                  + ", "
                  + lease
                  + ", cannot be read: "
                  + ApiErrorText.of(e)));
    }
    String reason = contribution.kind() + "OutdatedHealthCheckReport";
    if (renewed == null) {
      return new Silence(
          new ConditionFinding.Unknown(
              reason,
              "The conditions of "
                  + contribution.kind()
                  + " resources are stale: there is no "
                  + lease
                  + "."));
    }
    Duration age = Duration.between(renewed, time.wallTime());
    if (age.compareTo(heartbeat.staleAfter()) <= 0) {
      return new Silence(null);
    }
    return new Silence(
        new ConditionFinding.Unknown(
            reason,
            "The conditions of %s resources are stale: %s was last renewed at %s, more than %s ago."
                .formatted(
                    contribution.kind(),
                    lease,
                    renewed.truncatedTo(ChronoUnit.SECONDS),
                    GoDuration.format(heartbeat.staleAfter()))));
  }

  private @Nullable Instant renewed(Heartbeat heartbeat) {
    return reader
        .named(Lease.class, heartbeat.namespace(), heartbeat.name())
        .map(Lease::getSpec)
        .map(LeaseSpec::getRenewTime)
        .map(ZonedDateTime::toInstant)
        .orElse(null);
  }
}
