package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.RetryBackoff;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.ApiServer;
import io.probelet.kube.election.Leadership;
import io.probelet.nodehealth.controller.ActionRequests.ApiRequest;
import io.probelet.nodehealth.controller.ActionRunner.ActionStep.Finished;
import io.probelet.nodehealth.controller.ActionRunner.ActionStep.Send;
import io.probelet.nodehealth.remediation.NodeCensus.NodeHealth;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.DeleteRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.wire.NodeFormat;
import io.probelet.nodehealth.wire.RemediationJson;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Executes actions, sequentially for one node and concurrently for several. A node is busy from the
 * start of its actions until the result of the last one is certain, and no plan is made for it
 * meanwhile (N-2). Used only on the loop's thread, unless stated otherwise.
 */
final class ActionRunner {
  private static final Logger LOG = LoggerFactory.getLogger(ActionRunner.class);
  private static final int MAX_AT_ONCE = 16;
  private static final RetryBackoff BACKOFF =
      RetryBackoff.doubling(Duration.ofMillis(200), Duration.ofSeconds(30));

  private final ApiServer api;
  private final ActionRequests requests;
  private final Leadership term;
  private final TimeSource time;
  private final ReconcileLoop loop;
  private final Listener listener;
  private final Semaphore slots = new Semaphore(MAX_AT_ONCE);
  private final Set<String> busy = new HashSet<>();
  private final Set<String> controlPlane = new HashSet<>();
  private final Map<String, Duration> pauses = new HashMap<>();

  /** Receives the results of writes, on the loop's thread. */
  interface Listener {
    /** An action was executed. */
    void done(RemediationAction action, JsonNode body);

    /** The current state of the object of an action. */
    void found(RemediationAction action, ApiResult answer);

    /** A write was denied because a permission is missing. */
    void forbidden(MissingPermission permission);

    /** {@return what adds a node's maintenance to the node as read; used by any thread} */
    UnaryOperator<NodeFacts> maintenance(String node);

    /** The node is no longer busy, for the NodeHealthCheck of the actions and for others. */
    void free(WatchedHealthCheck check, String node);
  }

  ActionRunner(
      ApiServer api,
      ActionRequests requests,
      Leadership term,
      TimeSource time,
      ReconcileLoop loop,
      Listener listener) {
    this.api = api;
    this.requests = requests;
    this.term = term;
    this.time = time;
    this.loop = loop;
    this.listener = listener;
  }

  /** The nodes with running actions. */
  Set<String> busy() {
    return busy;
  }

  /** Those of them that belong to the control plane and are getting a remediation. */
  Set<String> busyControlPlane() {
    return controlPlane;
  }

  /** Starts the actions of one node; events among them are published in order. */
  void begin(
      WatchedHealthCheck check,
      String node,
      List<RemediationAction> actions,
      Consumer<EmitEvent> events) {
    busy.add(node);
    if (actions.stream().anyMatch(ActionRunner::isForControlPlane)) {
      controlPlane.add(node);
    }
    Predicate<NodeFacts> unhealthy =
        check.resource().map(found -> unhealthy(found.spec(), node)).orElse(null);
    loop.beside(() -> {
      slots.acquireUninterruptibly();
      try {
        run(check, unhealthy, node, actions, events);
      } finally {
        slots.release();
      }
    });
  }

  /** The node may have come into maintenance since its plan was made (MW-2). */
  private Predicate<NodeFacts> unhealthy(NodeHealthCheckSpec spec, String node) {
    UnaryOperator<NodeFacts> maintenance = listener.maintenance(node);
    return read ->
        NodeHealth.of(spec, maintenance.apply(read), time.wallTime())
            instanceof NodeHealth.Unhealthy;
  }

  private static boolean isForControlPlane(RemediationAction action) {
    return action instanceof CreateRemediation create && create.draft().isForControlPlane();
  }

  /** Runs on its own thread. */
  private void run(
      WatchedHealthCheck check,
      @Nullable Predicate<NodeFacts> unhealthy,
      String node,
      List<RemediationAction> actions,
      Consumer<EmitEvent> events) {
    for (RemediationAction action : actions) {
      if (action instanceof EmitEvent event) {
        events.accept(event);
        continue;
      }
      if (!term.isOn()) { // a former leader writes nothing (N-1)
        return;
      }
      ApiResult answer = carryOut(action, unhealthy);
      LOG.info(
          "remediation step finished nodehealthcheck={} node={} action={} result=\"{}\"",
          check.name(),
          node,
          action.getClass().getSimpleName(),
          answer.summary());
      if (answer instanceof Done(JsonNode body)) {
        loop.post(() -> listener.done(action, body));
      } else {
        Optional<MissingPermission> missing =
            answer.isMissingPermission() ? requests.permission(action) : Optional.empty();
        Runnable ifDone = () -> eventsAfter(action, actions).forEach(events);
        loop.post(() ->
            missing.ifPresentOrElse(
                permission -> forbidden(check, node, permission),
                () -> failed(check, node, action, answer, ifDone)));
        return;
      }
    }
    loop.post(() -> {
      pauses.remove(node);
      free(check, node);
    });
  }

  /**
   * RB-6: a remediation is created only if the API server still reports its node as unhealthy. The
   * plan may be seconds old, because it waited for a slot and for the node's lease.
   */
  private ApiResult carryOut(RemediationAction action, @Nullable Predicate<NodeFacts> unhealthy) {
    if (action instanceof CreateRemediation(String name, _) && unhealthy != null) {
      switch (carryOut(Send.last(ApiRequest.get(Kind.NODE.path(null, name))))) {
        case Done(JsonNode node) when isUnhealthy(node, unhealthy) -> {}
        case Done _ -> {
          return new Refused(412, "node " + name + " is no longer unhealthy", null);
        }
        case Refused refused -> {
          return new Unanswered("cannot read node " + name + ": " + refused.summary());
        }
        case Unanswered unanswered -> {
          return unanswered;
        }
      }
    }
    return carryOut(requests.begin(action));
  }

  private static boolean isUnhealthy(JsonNode node, Predicate<NodeFacts> unhealthy) {
    try {
      return unhealthy.test(new NodeFormat().read(node, _ -> null).value());
    } catch (IOException unexpected) {
      return false;
    }
  }

  private ApiResult carryOut(ActionStep first) {
    ActionStep step = first;
    while (step instanceof Send(ApiRequest request, var then)) {
      step = then.apply(request.send(api));
    }
    return ((Finished) step).result();
  }

  /** Nothing was written, so nothing is read again; the action waits for the permission. */
  private void forbidden(WatchedHealthCheck check, String node, MissingPermission permission) {
    pauses.remove(node);
    listener.forbidden(permission);
    free(check, node);
  }

  /**
   * Reads the object's current state after an increasing pause; the node stays busy until it is
   * known.
   */
  private void failed(
      WatchedHealthCheck check,
      String node,
      RemediationAction action,
      ApiResult answer,
      Runnable ifDone) {
    Duration pause = BACKOFF.after(pauses.getOrDefault(node, Duration.ZERO));
    pauses.put(node, pause);
    Duration asked = answer.requestedWait().orElse(Duration.ZERO);
    pause = asked.compareTo(pause) > 0 ? asked : pause;
    loop.postAfter(
        pause.compareTo(BACKOFF.max()) > 0 ? BACKOFF.max() : pause,
        () ->
            loop.beside(() -> {
              if (term.isOn()) {
                ApiResult found = carryOut(requests.read(action));
                loop.post(() -> reread(check, node, action, answer, found, ifDone));
              }
            }));
  }

  private void reread(
      WatchedHealthCheck check,
      String node,
      RemediationAction action,
      ApiResult answer,
      ApiResult found,
      Runnable ifDone) {
    if (found instanceof Done || found.isNotFound()) {
      if (isDone(action, check.uid(), answer, found)) {
        ifDone.run();
      }
      listener.found(action, found);
      free(check, node);
    } else {
      failed(check, node, action, answer, ifDone);
    }
  }

  /**
   * Returns whether a write was executed although its response does not say so. A proxy may send a
   * request twice: then the response is the second one's, that the object exists or does not.
   */
  static boolean isDone(
      RemediationAction action, String checkUid, ApiResult answer, ApiResult found) {
    return switch (action) {
      case CreateRemediation _ ->
          found instanceof Done(JsonNode body)
              && (answer instanceof Unanswered
                  || (answer.isConflict() && isOwnedBy(body, checkUid)));
      case DeleteRemediation _ ->
          found.isNotFound() && (answer instanceof Unanswered || answer.isNotFound());
      default -> false;
    };
  }

  private static boolean isOwnedBy(JsonNode remediation, String uid) {
    return RemediationJson.owners(remediation).stream().anyMatch(owner -> uid.equals(owner.uid()));
  }

  /** The events that report an executed action. */
  private static List<EmitEvent> eventsAfter(
      RemediationAction action, List<RemediationAction> actions) {
    List<EmitEvent> events = new ArrayList<>();
    for (RemediationAction next : actions.subList(actions.indexOf(action) + 1, actions.size())) {
      if (!(next instanceof EmitEvent event)) {
        break;
      }
      events.add(event);
    }
    return events;
  }

  private void free(WatchedHealthCheck check, String node) {
    busy.remove(node);
    controlPlane.remove(node);
    listener.free(check, node);
  }

  /** The next step of an action: a request, or the end. */
  sealed interface ActionStep {
    /**
     * Send a request.
     *
     * @param then chooses the next step by its result
     */
    record Send(ApiRequest request, Function<ApiResult, ActionStep> then) implements ActionStep {
      /** The last request, whose result is the action's. */
      static Send last(ApiRequest request) {
        return new Send(request, Finished::new);
      }
    }

    /** No further request. */
    record Finished(ApiResult result) implements ActionStep {}
  }
}
