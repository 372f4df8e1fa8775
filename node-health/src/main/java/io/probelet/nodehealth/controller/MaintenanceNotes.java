package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiServer;
import io.probelet.kube.MaintenanceNote;
import io.probelet.kube.object.KeptFields;
import io.probelet.nodehealth.maintenance.NodeMaintenance.Window;
import io.probelet.nodehealth.remediation.NodeFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the annotation of each node that tells its agent of a maintenance (MW-8). Writes for few
 * nodes at once, and for one node rarely, because its kubelet may write the annotation too. Used
 * only on the loop's thread.
 */
final class MaintenanceNotes {
  private static final Logger LOG = LoggerFactory.getLogger(MaintenanceNotes.class);

  private static final int MAX_AT_ONCE = 16;

  private final ObjectPatches requests;
  private final StatusPauses pauses;
  private final Function<String, @Nullable NodeFacts> nodes;
  private final Supplier<Instant> clock;
  private final Set<String> waiting = new LinkedHashSet<>();
  private final Set<String> underWay = new HashSet<>();

  /** Nodes whose next write has a timer: another one must not be added for each of their events. */
  private final Set<String> delayed = new HashSet<>();

  /** The minimum time between two writes to one node. */
  static final Duration APART = Duration.ofSeconds(30);

  /**
   * Prepares.
   *
   * @param pauses of the nodes, by name
   * @param nodes the known state of a node
   */
  MaintenanceNotes(
      ObjectPatches requests,
      StatusPauses pauses,
      Function<String, @Nullable NodeFacts> nodes,
      Supplier<Instant> clock) {
    this.requests = requests;
    this.pauses = pauses;
    this.nodes = nodes;
    this.clock = clock;
  }

  private static @Nullable String wanted(NodeFacts node, Instant now) {
    return node.maintenance() instanceof Window window && window.isOnAt(now)
        ? window.note().text()
        : null;
  }

  /** Schedules a write if the annotation of a node is wrong. */
  void check(NodeFacts node, Instant now) {
    if (!delayed.contains(node.name()) && !Objects.equals(node.note(), wanted(node, now))) {
      waiting.add(node.name());
    }
  }

  void gone(String node) {
    waiting.remove(node);
    pauses.forget(node);
  }

  /** Sends scheduled writes, as many as may be under way. */
  void send() {
    Iterator<String> next = waiting.iterator();
    while (underWay.size() < MAX_AT_ONCE && next.hasNext()) {
      String name = next.next();
      if (!underWay.contains(name)) {
        next.remove();
        begin(name);
      }
    }
  }

  private void begin(String name) {
    NodeFacts node = nodes.apply(name);
    if (node == null) {
      return;
    }
    String note = wanted(node, clock.get());
    if (Objects.equals(node.note(), note)) {
      return;
    }
    Duration wait = pauses.remaining(name);
    if (wait.isPositive()) {
      delayed.add(name);
      requests
          .loop()
          .postAfter(
              wait,
              () -> {
                delayed.remove(name);
                again(name);
              });
      return;
    }
    pauses.sent(name);
    underWay.add(name);
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    ObjectNode metadata = patch.putObject("metadata").put("uid", node.uid());
    metadata.putObject("annotations").put(MaintenanceNote.ANNOTATION, note);
    requests.send(
        Kind.NODE.path(null, name),
        "",
        ApiServer.MERGE_PATCH,
        patch,
        KeptFields.ALL,
        (answer, _) -> answered(name, answer));
  }

  /**
   * Only the watch shows what the annotation is: a response may be older than what it has shown.
   */
  private void answered(String name, ApiResult answer) {
    underWay.remove(name);
    if (pauses.answered(name, answer)) {
      LOG.info("maintenance not annotated node={} reason=\"{}\"", name, answer.summary());
    }
    again(name);
  }

  private void again(String name) {
    NodeFacts node = nodes.apply(name);
    if (node != null) {
      check(node, clock.get());
    }
  }
}
