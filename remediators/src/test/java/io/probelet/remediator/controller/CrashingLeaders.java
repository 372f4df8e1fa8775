package io.probelet.remediator.controller;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.ManualClock;
import io.probelet.health.RandomCase;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.remediator.controller.RequestTable.Entry;
import io.probelet.remediator.decide.ActionGate;
import io.probelet.remediator.decide.ActionHold;
import io.probelet.remediator.decide.Outcome;
import io.probelet.remediator.resource.RemediationKind;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Turns of drains of two nodes before a fake API server, in an order that chance makes, by leaders
 * that end between any two writes. After each turn it is asked whether something happened that must
 * not.
 */
final class CrashingLeaders implements AutoCloseable {
  private static final String DRAINS = RemediatorRun.DRAINS;
  private static final List<String> NODES = List.of("n1", "n2");

  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
  private final FakeApiServer server;
  private final KubernetesClient client;
  private final RemediatorEvents events;
  private final RandomCase chance;

  /** How many more writes the leader may do before its term is over. */
  private final AtomicInteger writesLeft = new AtomicInteger();

  private final Map<String, String> over = new HashMap<>();
  private final Set<String> cordonedByHumans = new HashSet<>();
  private RequestTable table = new RequestTable();
  private RemediationReconcile turn;
  private int made;
  private int checked;

  CrashingLeaders(RandomCase chance) throws IOException {
    this.chance = chance;
    server = new FakeApiServer(clock);
    client = server.client();
    events =
        new RemediatorEvents(
            ApiServer.of(client, Duration.ofSeconds(5)),
            () -> false,
            clock,
            new Random(1),
            "me",
            RemediatorListener.NONE);
    server.put(
        "{apiVersion: apps/v1, kind: DaemonSet, metadata: {namespace: web, name: ds, uid: ds-uid}}");
    for (String node : NODES) {
      boolean cordoned = chance.of(true, false, false);
      if (cordoned) {
        cordonedByHumans.add(node);
      }
      node(node, cordoned);
    }
    turn = newLeader();
  }

  private void node(String name, boolean cordoned) {
    server.put(
        """
        {"kind": "Node", "apiVersion": "v1", "metadata": {"name": "%s"},
         "spec": {%s}, "status": {"nodeInfo": {"bootID": "b"}}}
        """
            .formatted(name, cordoned ? "\"unschedulable\": true" : "")
            .strip());
  }

  private RemediationReconcile newLeader() {
    ApiServer api = ApiServer.of(client, Duration.ofSeconds(5));
    table = new RequestTable();
    writesLeft.set(chance.between(1, 15));
    return new RemediationReconcile(
        api,
        new ActionWrites(api, RemediatorRun.NAMESPACE),
        ActionGate.OPEN,
        new HookReader(HookEndpoint.HTTPS),
        () -> writesLeft.getAndDecrement() > 0,
        new TermClock(clock),
        events,
        RemediatorListener.NONE);
  }

  /** Something happens. */
  void step() {
    switch (chance.between(0, 29)) {
      case 0, 1, 2 -> createDrain();
      case 3 -> deleteDrain();
      case 4, 5 -> clock.advance(Duration.ofSeconds(chance.between(1, 60)));
      case 6, 7 -> podComes();
      case 8 -> evictedPodsGo();
      case 9, 10 -> server.faults().failNextWrite(chance.of(409, 500, 429), "chance", "");
      case 11 -> server.faults().failNextWrite(0, "", "");
      case 12 -> timesOut();
      default -> takeTurn();
    }
    check();
  }

  private void createDrain() {
    if (made < 8) {
      String node = chance.of(NODES);
      String spec = chance.of("", "timeout: 30s", "timeout: 30s, force: true");
      server.put(
          """
          kind: DrainRemediation
          apiVersion: probelet.io/v1alpha1
          metadata:
            namespace: fix
            name: d%d
            annotations: {remediation.medik8s.io/node-name: %s}
          spec: {%s}
          """
              .formatted(made++, node, spec));
    }
  }

  private void deleteDrain() {
    List<ObjectNode> drains = server.list(DRAINS);
    if (!drains.isEmpty()) {
      server.delete(DRAINS + "/" + name(chance.of(drains)));
    }
  }

  private void timesOut() {
    List<ObjectNode> drains = server.list(DRAINS);
    if (!drains.isEmpty()) {
      server.patch(
          DRAINS + "/" + name(chance.of(drains)),
          "{metadata: {annotations: {remediation.medik8s.io/nhc-timed-out: now}}}");
    }
  }

  private void podComes() {
    boolean daemon = chance.of(true, false, false);
    server.put(
        """
        metadata: {namespace: web, name: %s%d%s}
        spec: {nodeName: %s}
        """
            .formatted(
                daemon ? "ds" : "p",
                chance.between(0, 20),
                daemon
                    ? ", ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: ds,"
                        + " uid: ds-uid, controller: true}]"
                    : "",
                chance.of(NODES)));
  }

  /** The kubelet ends what was evicted. */
  private void evictedPodsGo() {
    for (FakeApiServer.Request request : server.writesDone("/eviction")) {
      String pod = request.path().replace("/eviction", "");
      if (server.get(pod).at("/metadata/uid").asText().equals(uid(request))) {
        server.delete(pod);
      }
    }
  }

  private static String uid(FakeApiServer.Request eviction) {
    return eviction.json().at("/deleteOptions/preconditions/uid").asText();
  }

  private static String name(JsonNode object) {
    return object.at("/metadata/name").asText();
  }

  /** What a leader sees is what there is; then somebody's turn comes. */
  private void takeTurn() {
    Set<String> there = new HashSet<>();
    for (ObjectNode drain : server.list(DRAINS)) {
      there.add(drain.at("/metadata/uid").asText());
      table.changed(SeenRequest.read(RemediationKind.DRAIN, drain));
    }
    List.copyOf(table.all()).stream()
        .map(Entry::seen)
        .filter(seen -> !there.contains(seen.uid()))
        .forEach(table::gone);
    table.touchAll();
    Entry entry = table.next(clock.nanoTime());
    if (entry == null) {
      clock.advance(Duration.ofSeconds(1));
      return;
    }
    Optional<ActionHold> busy = table.busy(entry);
    List<Outcome> before = entry.outcomes();
    SeenRequest seen = entry.seen();
    table.begin(entry);
    RemediationReconcile.Result result = turn.take(seen, busy, before);
    if (writesLeft.get() <= 0) { // it crashed, and nobody learns what came of its turn
      turn = newLeader();
    } else {
      table.ended(entry, result, clock.nanoTime(), Duration.ofMillis(1));
    }
  }

  private void check() {
    Map<String, String> inForce = new HashMap<>();
    for (ObjectNode object : server.list(DRAINS)) {
      SeenRequest drain = SeenRequest.read(RemediationKind.DRAIN, object);
      if (drain.status().phase().isInForce()) {
        assertThat(inForce.put(drain.node(), drain.uid())).as("in force at once").isNull();
      }
      if (drain.status().phase().isTerminal()) {
        String status = drain.status().phase() + drain.status().message();
        assertThat(over.getOrDefault(drain.uid(), status)).as("what was over").isEqualTo(status);
        over.put(drain.uid(), status);
      }
    }
    List<FakeApiServer.Request> all = new ArrayList<>(server.writesDone(""));
    for (FakeApiServer.Request request : all.subList(checked, all.size())) {
      if (request.path().contains("/nodes/")) {
        assertThat(cordonedByHumans)
            .as("nodes that a human cordoned are not written to")
            .doesNotContain(request.path().substring(request.path().lastIndexOf('/') + 1));
      }
      assertThat(request.path()).as("no pod of a DaemonSet").doesNotContain("/pods/ds");
      if (request.method().equals("DELETE") && request.path().contains("/pods/")) {
        assertThat(request.body()).contains("preconditions").contains("\"gracePeriodSeconds\":0");
      }
    }
    checked = all.size();
  }

  /** Chance is over; the kubelet and the API server do their work, and all drains are deleted. */
  void settle() {
    for (int round = 0; round < 60 && isUnsettled(); round++) {
      server.list(DRAINS).stream()
          .filter(drain -> !drain.path("metadata").has("deletionTimestamp"))
          .forEach(drain -> server.delete(DRAINS + "/" + name(drain)));
      writesLeft.set(100);
      clock.advance(Duration.ofSeconds(2));
      takeTurn();
      check();
    }
    assertThat(server.list(DRAINS)).as("all have gone").isEmpty();
    for (String node : NODES) {
      JsonNode now = server.get("/api/v1/nodes/" + node);
      assertThat(now.at("/spec/unschedulable").asBoolean())
          .as(node + " as it was")
          .isEqualTo(cordonedByHumans.contains(node));
      assertThat(now.at("/metadata/annotations").has("probelet.io/cordoned-by")).isFalse();
    }
  }

  private boolean isUnsettled() {
    return !server.list(DRAINS).isEmpty();
  }

  @Override
  public void close() {
    client.close();
    server.close();
  }
}
