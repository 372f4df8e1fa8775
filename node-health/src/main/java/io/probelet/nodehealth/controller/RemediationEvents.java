package io.probelet.nodehealth.controller;

import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.event.ApiEvent;
import io.probelet.kube.event.EventRecorder;
import io.probelet.kube.event.EventSource;
import io.probelet.kube.event.InvolvedObject;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Records Events about the NodeHealthCheck, and logs them. Thread-safe. */
final class RemediationEvents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RemediationEvents.class);

  /** the common prefix of medik8s' events. */
  private static final String PREFIX = "[remediation] ";

  private final EventRecorder events;
  private final String component;

  RemediationEvents(
      ApiServer api,
      Leadership term,
      TimeSource time,
      RandomGenerator random,
      RemediationSettings settings,
      RemediationListener listener) {
    component = settings.eventComponent();
    EventSource source = EventSource.leader(component, settings.identity());
    events = new EventRecorder(api, source, time, random, term::isOn);
    events.start();
    listener.records(events);
  }

  void publish(WatchedHealthCheck check, EmitEvent event) {
    LOG.atLevel(event.warning() ? Level.WARN : Level.INFO)
        .log(
            "remediation event nodehealthcheck={} event={} message=\"{}\"",
            check.name(),
            event.reason(),
            event.message());
    events.record(
        new ApiEvent(
            InvolvedObject.clusterScoped(
                NodeHealthCheck.API_VERSION, NodeHealthCheck.KIND, check.name(), check.uid()),
            component,
            event.warning() ? ApiEvent.WARNING : ApiEvent.NORMAL,
            event.reason(),
            event.message(), // about another node or with other numbers it is another event
            PREFIX + event.message(),
            false));
  }

  @Override
  public void close() {
    events.close();
  }
}
