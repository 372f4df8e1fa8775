package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.event.ApiEvent;
import io.probelet.kube.event.EventRecorder;
import io.probelet.kube.event.EventSource;
import io.probelet.kube.event.InvolvedObject;
import java.time.Duration;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;

/** Records Events about cluster-scoped objects. */
final class CareEvents implements AutoCloseable {
  /** Shorter than the time after which other replicas take over from a silent leader. */
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final EventRecorder events;

  CareEvents(
      KubernetesClient client,
      TimeSource time,
      RandomGenerator random,
      CareListener listener,
      BooleanSupplier mayWrite) {
    String instance = EventSource.PROBELET + "_" + new UUID(random.nextLong(), random.nextLong());
    EventSource source = EventSource.leader(EventSource.PROBELET, instance);
    events =
        new EventRecorder(
            ApiServer.of(client, TIMEOUT, time.threads()), source, time, random, mayWrite);
    events.start();
    listener.records(events);
  }

  /**
   * Records an Event; occurrences with the same reason, type and key share one Event with a count.
   */
  void record(HasMetadata about, String type, String reason, String key, String message) {
    events.record(
        new ApiEvent(
            InvolvedObject.clusterScoped(
                about.getApiVersion(),
                about.getKind(),
                about.getMetadata().getName(),
                about.getMetadata().getUid()),
            EventSource.PROBELET,
            type,
            reason,
            key,
            message,
            false));
  }

  @Override
  public void close() {
    events.close();
  }
}
