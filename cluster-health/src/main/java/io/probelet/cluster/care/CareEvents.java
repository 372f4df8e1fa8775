package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.checks.error.ApiErrorText;
import io.probelet.health.TimeSource;
import java.time.temporal.ChronoUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes events about cluster-scoped objects; one that cannot be written is only logged. */
final class CareEvents {
  private static final Logger LOG = LoggerFactory.getLogger(CareEvents.class);

  /** Where events of objects without a namespace live. */
  private static final String NAMESPACE = "default";

  private static final int LONGEST_MESSAGE = 1024; // the API server's limit

  private final KubernetesClient client;
  private final TimeSource time;

  CareEvents(KubernetesClient client, TimeSource time) {
    this.client = client;
    this.time = time;
  }

  void tell(HasMetadata about, boolean warning, String reason, String message) {
    String now = time.wallTime().truncatedTo(ChronoUnit.SECONDS).toString();
    try {
      client
          .v1()
          .events()
          .inNamespace(NAMESPACE)
          .resource(
              new EventBuilder()
                  .withNewMetadata()
                  .withGenerateName(about.getMetadata().getName() + ".")
                  .withNamespace(NAMESPACE)
                  .endMetadata()
                  .withNewInvolvedObject()
                  .withApiVersion(about.getApiVersion())
                  .withKind(about.getKind())
                  .withName(about.getMetadata().getName())
                  .withUid(about.getMetadata().getUid())
                  .endInvolvedObject()
                  .withType(warning ? "Warning" : "Normal")
                  .withReason(reason)
                  .withMessage(message.substring(0, Math.min(message.length(), LONGEST_MESSAGE)))
                  .withNewSource()
                  .withComponent("probelet")
                  .endSource()
                  .withReportingComponent("probelet")
                  .withFirstTimestamp(now)
                  .withLastTimestamp(now)
                  .withCount(1)
                  .build())
          .create();
    } catch (KubernetesClientException e) {
      LOG.warn("event not written reason={} error=\"{}\"", reason, ApiErrorText.of(e));
    }
  }
}
