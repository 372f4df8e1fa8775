package io.probelet.remediator.controller;

import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Leadership;
import io.probelet.kube.event.ApiEvent;
import io.probelet.kube.event.EventRecorder;
import io.probelet.kube.event.EventSource;
import io.probelet.kube.event.InvolvedObject;
import io.probelet.remediator.decide.Notice;
import io.probelet.remediator.resource.RemediationKind;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Records what happens, as Events about the remediation and its node, and in the log. */
final class RemediatorEvents implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RemediatorEvents.class);

  private final EventRecorder events;

  RemediatorEvents(
      ApiServer api,
      Leadership term,
      TimeSource time,
      RandomGenerator random,
      String identity,
      RemediatorListener listener) {
    EventSource source = EventSource.leader(EventSource.PROBELET, identity);
    events = new EventRecorder(api, source, time, random, term::isOn);
    events.start();
    listener.records(events);
  }

  void publish(SeenRequest request, Notice notice) {
    String message = notice.message();
    LOG.atLevel(notice.warning() ? Level.WARN : Level.INFO)
        .log(
            "remediation event remediation=\"{}\" event={} message=\"{}\"",
            request.ref(),
            notice.reason(),
            message);
    InvolvedObject remediation =
        new InvolvedObject(
            RemediationKind.API_VERSION,
            request.kind().kind(),
            Objects.requireNonNullElse(request.ref().namespace(), ""),
            request.ref().name(),
            request.uid(),
            "");
    record(remediation, notice, message);
    record(InvolvedObject.node(request.node(), ""), notice, request.ref() + ": " + message);
  }

  private void record(InvolvedObject about, Notice notice, String message) {
    events.record(
        new ApiEvent(
            about,
            EventSource.PROBELET,
            notice.warning() ? ApiEvent.WARNING : ApiEvent.NORMAL,
            notice.reason(),
            "",
            message,
            false));
  }

  @Override
  public void close() {
    events.close();
  }
}
