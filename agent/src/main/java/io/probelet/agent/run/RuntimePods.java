package io.probelet.agent.run;

import io.probelet.manifest.ManifestChange;
import io.probelet.manifest.ManifestChange.Replacement;
import io.probelet.manifest.pod.PodSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import io.probelet.runtime.cri.CriStats;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pods that somebody else runs in a container runtime, probed as the manifest of the same namespace
 * and name says. Pods without a manifest are left alone, and nothing is ended with the agent.
 */
public final class RuntimePods implements RunningPods, RuntimeListener {
  private static final Logger LOG = LoggerFactory.getLogger(RuntimePods.class);

  private final ProbeEngine engine;
  private final ContainerRuntime runtime;
  private final Supplier<CriStats> stats;
  private final Map<PodName, PodSource> manifests = new HashMap<>();
  private final Set<PodRef> seen = new HashSet<>();

  /**
   * Creates a set without manifests.
   *
   * @param runtime runs them; reports to this object, and is closed with it
   */
  public RuntimePods(ProbeEngine engine, ContainerRuntime runtime, Supplier<CriStats> stats) {
    this.engine = engine;
    this.runtime = runtime;
    this.stats = stats;
    runtime.watch(this);
  }

  @Override
  public synchronized void add(List<PodSource> pods) {
    pods.forEach(this::put);
  }

  @Override
  public synchronized void change(ManifestChange change) {
    change.removed().forEach(this::drop);
    for (Replacement replacement : change.replaced()) {
      drop(replacement.before());
      put(replacement.after());
    }
    change.added().forEach(this::put);
  }

  private void put(PodSource pod) {
    PodName name = PodName.of(pod.ref());
    manifests.put(name, pod);
    List<PodRef> matching = seenAs(name);
    if (matching.isEmpty()) {
      LOG.info("waiting for the pod to start pod={}", pod.ref());
    }
    matching.forEach(ref -> engine.add(as(ref, pod.probed())));
  }

  private void drop(PodSource pod) {
    PodName name = PodName.of(pod.ref());
    manifests.remove(name);
    seenAs(name).forEach(engine::remove);
  }

  private List<PodRef> seenAs(PodName name) {
    return seen.stream().filter(ref -> PodName.of(ref).equals(name)).toList();
  }

  @Override
  public synchronized void observed(PodObservation observation) {
    PodSource manifest = manifests.get(PodName.of(observation.pod()));
    if (seen.add(observation.pod()) && manifest != null) {
      engine.add(as(observation.pod(), manifest.probed()));
    }
    engine.observed(observation);
  }

  @Override
  public synchronized void gone(PodRef pod) {
    seen.remove(pod);
    engine.gone(pod);
    engine.remove(pod);
  }

  /** The manifest's pod under the uid it has in the runtime. */
  private static ProbedPod as(PodRef ref, ProbedPod pod) {
    return new ProbedPod(ref, pod.restartPolicy(), pod.terminationGracePeriod(), pod.containers());
  }

  @Override
  public Optional<String> problem() {
    CriStats now = stats.get();
    return now.connected() ? Optional.empty() : Optional.of(now.problem());
  }

  @Override
  public void close() {
    runtime.close();
  }
}
