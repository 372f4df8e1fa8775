package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiServer;
import io.probelet.kube.WireTime;
import io.probelet.kube.election.Term;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells users what happens, as Events about the NodeHealthCheck and in the log. They are a
 * courtesy: one that cannot be written is lost, and nothing ever waits for them. Safe for several
 * threads.
 */
final class EventJournal implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventJournal.class);
  private static final int MAX_WAITING = 1000;

  /** what all who remediate begin with. */
  private static final String PREFIX = "[remediation] ";

  /** Where Events about objects without a namespace belong. */
  private static final String NAMESPACE = "default";

  private final ApiServer api;
  private final Term term;
  private final TimeSource time;
  private final RemediationSettings settings;
  private final BlockingQueue<ObjectNode> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
  private final AtomicLong told = new AtomicLong();
  private final AtomicLong lost = new AtomicLong();
  private final Thread writer;

  EventJournal(ApiServer api, Term term, TimeSource time, RemediationSettings settings) {
    this.api = api;
    this.term = term;
    this.time = time;
    this.settings = settings;
    this.writer = Thread.ofVirtual().name("remediation-events").start(this::write);
  }

  void publish(WatchedHealthCheck check, EmitEvent event) {
    if (event.warning()) {
      LOG.warn("nodehealthcheck={} event={} {}", check.name(), event.reason(), event.message());
    } else {
      LOG.info("nodehealthcheck={} event={} {}", check.name(), event.reason(), event.message());
    }
    if (!waiting.offer(object(check, event))) {
      lost.incrementAndGet();
    }
  }

  /** How many were not written, since the beginning. */
  long lost() {
    return lost.get();
  }

  @Override
  public void close() {
    writer.interrupt();
  }

  private void write() {
    try {
      while (true) {
        ObjectNode event = waiting.take();
        if (!term.isOn()) {
          return;
        }
        ApiResult answer = api.create(Kind.EVENT.collection(NAMESPACE), event);
        if (!(answer instanceof Done)) {
          lost.incrementAndGet();
          LOG.info("event={} not written: {}", event.path("reason").asText(), answer.summary());
        }
      }
    } catch (InterruptedException stop) {
      // the term is over
    }
  }

  /** As unique as it has to be: of two that are alike the second is lost. */
  private String name(WatchedHealthCheck check) {
    return "%s.%x.%x"
        .formatted(check.name(), time.wallTime().toEpochMilli(), told.incrementAndGet());
  }

  private ObjectNode object(WatchedHealthCheck check, EmitEvent event) {
    ObjectNode object = JsonNodeFactory.instance.objectNode();
    object.put("apiVersion", "v1").put("kind", "Event");
    object.putObject("metadata").put("name", name(check)).put("namespace", NAMESPACE);
    object
        .putObject("involvedObject")
        .put("apiVersion", NodeHealthCheck.API_VERSION)
        .put("kind", NodeHealthCheck.KIND)
        .put("name", check.name())
        .put("uid", check.uid());
    String now = WireTime.seconds(time.wallTime());
    object
        .put("type", event.warning() ? "Warning" : "Normal")
        .put("reason", event.reason())
        .put("message", PREFIX + event.message())
        .put("firstTimestamp", now)
        .put("lastTimestamp", now)
        .put("count", 1)
        .put("reportingComponent", settings.eventComponent())
        .put("reportingInstance", settings.identity());
    object.putObject("source").put("component", settings.eventComponent());
    return object;
  }
}
