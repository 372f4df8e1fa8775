package io.probelet.nodehealth.controller;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.health.RetryBackoff;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.election.Term;
import io.probelet.nodehealth.remediation.RemediationAction;
import io.probelet.nodehealth.remediation.RemediationAction.CreateRemediation;
import io.probelet.nodehealth.remediation.RemediationAction.EmitEvent;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries actions out, those of one node one after another, those of several side by side. A node
 * is busy from when its actions begin until the outcome of the last one is known for certain, and
 * nothing is planned for it meanwhile (N-2). Lives on the loop's thread except where said.
 */
final class Writes {
  private static final Logger LOG = LoggerFactory.getLogger(Writes.class);
  private static final int AT_ONCE = 16;
  private static final RetryBackoff BACKOFF =
      RetryBackoff.doubling(Duration.ofMillis(200), Duration.ofSeconds(30));

  private final ActionRequests requests;
  private final Term term;
  private final Loop loop;
  private final Executor threads;
  private final Observer observer;
  private final Semaphore slots = new Semaphore(AT_ONCE);
  private final Set<String> busy = new HashSet<>();
  private final Set<String> controlPlane = new HashSet<>();
  private final Map<String, Duration> pauses = new HashMap<>();

  /** Told what came of writes, on the loop's thread. */
  interface Observer {
    /** An action was carried out. */
    void done(Check check, RemediationAction action, JsonNode body);

    /** What the object of an action really is now. */
    void found(RemediationAction action, ApiResult answer);

    /** A write was refused for want of a right. */
    void refused(MissingRight right);

    /** The node may be planned for again, by whose actions it was busy and by others. */
    void free(Check check, String node);
  }

  Writes(ActionRequests requests, Term term, Loop loop, Executor threads, Observer observer) {
    this.requests = requests;
    this.term = term;
    this.loop = loop;
    this.threads = threads;
    this.observer = observer;
  }

  /** The nodes whose actions are under way. */
  Set<String> busy() {
    return busy;
  }

  /** Those of them that belong to the control plane and get a remediation. */
  Set<String> busyControlPlane() {
    return controlPlane;
  }

  /** Begins with the actions of one node; events among them are told when it is their turn. */
  void begin(
      Check check, String node, List<RemediationAction> actions, Consumer<EmitEvent> events) {
    busy.add(node);
    if (actions.stream().anyMatch(Writes::isForControlPlane)) {
      controlPlane.add(node);
    }
    threads.execute(() -> {
      slots.acquireUninterruptibly();
      try {
        run(check, node, actions, events);
      } finally {
        slots.release();
      }
    });
  }

  private static boolean isForControlPlane(RemediationAction action) {
    return action instanceof CreateRemediation create
        && create.draft().labels().containsKey(WireNames.CONTROL_PLANE_REMEDIATION);
  }

  /** On a thread of its own. */
  private void run(
      Check check, String node, List<RemediationAction> actions, Consumer<EmitEvent> events) {
    for (RemediationAction action : actions) {
      if (action instanceof EmitEvent event) {
        events.accept(event);
        continue;
      }
      if (!term.isOn()) { // N-1
        return;
      }
      ApiResult answer = requests.send(action);
      LOG.info(
          "nodehealthcheck={} node={} action={} result={}",
          check.name(),
          node,
          action.getClass().getSimpleName(),
          answer.summary());
      if (answer instanceof Done(JsonNode body)) {
        loop.post(() -> observer.done(check, action, body));
      } else {
        Optional<MissingRight> missing =
            answer.isMissingPermission() ? requests.right(action) : Optional.empty();
        loop.post(() ->
            missing.ifPresentOrElse(
                right -> refused(check, node, right), () -> failed(check, node, action, answer)));
        return;
      }
    }
    loop.post(() -> {
      pauses.remove(node);
      free(check, node);
    });
  }

  /** Nothing was done, so nothing has to be looked at: it waits for the right. */
  private void refused(Check check, String node, MissingRight right) {
    pauses.remove(node);
    observer.refused(right);
    free(check, node);
  }

  /**
   * Looks what the object is now, after a pause that grows; the node stays busy until it is known.
   */
  private void failed(Check check, String node, RemediationAction action, ApiResult answer) {
    Duration pause = BACKOFF.after(pauses.getOrDefault(node, Duration.ZERO));
    pauses.put(node, pause);
    if (answer instanceof Refused(_, _, Duration wish) && wish != null) {
      pause = wish.compareTo(pause) > 0 ? wish : pause;
    }
    loop.postAfter(
        pause.compareTo(BACKOFF.max()) > 0 ? BACKOFF.max() : pause,
        () ->
            threads.execute(() -> {
              if (term.isOn()) {
                ApiResult found = requests.read(action);
                loop.post(() -> reread(check, node, action, found));
              }
            }));
  }

  private void reread(Check check, String node, RemediationAction action, ApiResult found) {
    if (found instanceof Done || found.isNotFound()) {
      observer.found(action, found);
      free(check, node);
    } else {
      failed(check, node, action, found);
    }
  }

  private void free(Check check, String node) {
    busy.remove(node);
    controlPlane.remove(node);
    observer.free(check, node);
  }
}
