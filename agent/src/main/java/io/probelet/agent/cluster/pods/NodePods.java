package io.probelet.agent.cluster.pods;

import io.probelet.health.ShortText;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Synchronizes the probed pods with the pods of the node. Pods come from the API server, and
 * containers from the runtime or, without a runtime, from the API server. Pods that only the
 * runtime knows are ignored.
 */
public final class NodePods implements PodListener, RuntimeListener {
  private static final Logger LOG = LoggerFactory.getLogger(NodePods.class);

  /** Problems logged per pod: a pod author must not fill the log. */
  private static final int MAX_PROBLEMS_LOGGED = 10;

  private static final int MAX_LOGGED = 200;

  private final ProbeEngine engine;
  private final KnownPods known;
  private final Consumer<ClusterPod> invalid;
  private final Consumer<ClusterPod> changed;
  private final Consumer<ClusterPod> removed;
  private boolean runtimeSeesContainers;
  private volatile Consumer<Set<PodRef>> listed = _ -> {};
  private final Map<PodRef, PodObservation> seen = new HashMap<>();
  private final Map<PodRef, PodObservation> reported = new HashMap<>();

  /**
   * Creates an empty set.
   *
   * @param invalid takes pods whose problems, warnings or missing gates are new or different
   * @param changed takes every new or different pod
   * @param removed takes every pod that is gone
   * @param runtimeSeesContainers whether a runtime reports to this object
   */
  public NodePods(
      ProbeEngine engine,
      KnownPods known,
      Consumer<ClusterPod> invalid,
      Consumer<ClusterPod> changed,
      Consumer<ClusterPod> removed,
      boolean runtimeSeesContainers) {
    this.engine = engine;
    this.known = known;
    this.invalid = invalid;
    this.changed = changed;
    this.removed = removed;
    this.runtimeSeesContainers = runtimeSeesContainers;
  }

  /**
   * Notifies of each full list of the node's pods.
   *
   * @param hearer takes all pods there are, as the runtime knows them
   */
  public void whenListed(Consumer<Set<PodRef>> hearer) {
    listed = hearer;
  }

  @Override
  public synchronized void listed(Set<PodRef> there) {
    listed.accept(there);
    for (ClusterPod pod : known.all()) {
      if (!there.contains(pod.ref())) {
        removed(pod);
      }
    }
  }

  @Override
  public synchronized void changed(ClusterPod pod) {
    ClusterPod before = known.put(pod);
    ProbedPod probedBefore = before == null ? null : before.probed();
    if (before == null
        || !before.problems().equals(pod.problems())
        || !before.warnings().equals(pod.warnings())
        || !before.gate().missingFor().equals(pod.gate().missingFor())) {
      log(pod, "pod configuration ignored pod={} reason=\"{}\"", pod.problems());
      log(pod, "pod configuration warning pod={} reason=\"{}\"", pod.warnings());
      log(pod, "readiness gate missing pod={} containers=\"{}\"", gateMissing(pod));
      invalid.accept(pod);
    }
    if (probedBefore == null || !probedBefore.equals(pod.probed())) {
      if (probedBefore != null) {
        engine.remove(pod.ref()); // its annotation was edited: nothing else of a probe can change
      }
      engine.add(pod.probed());
    } else if (before != null && before.revision() != pod.revision()) {
      engine.podChanged(pod.ref());
    }
    changed.accept(pod);
    report(pod);
  }

  /** One line: a container's name has at most 63 characters, and the line is cut. */
  private static List<String> gateMissing(ClusterPod pod) {
    List<String> containers = pod.gate().missingFor();
    return containers.isEmpty() ? List.of() : List.of(String.join(",", containers));
  }

  private static void log(ClusterPod pod, String line, List<String> texts) {
    texts.stream().limit(MAX_PROBLEMS_LOGGED).forEach(text -> LOG.warn(line, pod.ref(), cut(text)));
  }

  private static String cut(String problem) {
    return ShortText.of(problem, MAX_LOGGED);
  }

  @Override
  public synchronized void removed(ClusterPod pod) {
    if (known.remove(pod)) {
      engine.remove(pod.ref());
      engine.gone(pod.ref());
      reported.remove(pod.ref());
      removed.accept(pod);
    }
  }

  @Override
  public synchronized void observed(PodObservation observation) {
    seen.put(observation.pod(), observation);
    known.find(observation.pod()).ifPresent(this::report);
  }

  @Override
  public synchronized void gone(PodRef gone) {
    seen.remove(gone);
    if (known.find(gone).isPresent()) {
      engine.gone(gone);
      reported.remove(gone);
    }
  }

  /**
   * Forgets what a runtime has said: another takes its place, which is about to say what it sees.
   * What is probed goes on as it was last seen until something else is known.
   *
   * @param seesContainers whether a runtime reports to this object from now on
   */
  public synchronized void runtimeReplaced(boolean seesContainers) {
    runtimeSeesContainers = seesContainers;
    seen.clear();
    if (!seesContainers) {
      known.all().forEach(this::report);
    }
  }

  private void report(ClusterPod pod) {
    PodObservation now = pod.reported();
    if (runtimeSeesContainers) {
      PodObservation observed = seen.get(pod.ref());
      if (observed == null) {
        return;
      }
      now = PodJoin.of(pod.reported(), observed);
    }
    if (!now.equals(reported.put(pod.ref(), now))) {
      engine.observed(now);
    }
  }
}
