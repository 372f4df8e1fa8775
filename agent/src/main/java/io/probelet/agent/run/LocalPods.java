package io.probelet.agent.run;

import io.probelet.manifest.ManifestChange;
import io.probelet.manifest.ManifestChange.Replacement;
import io.probelet.manifest.pod.PodSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import io.probelet.runtime.process.ProcessRuntime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * Keeps what runs and is probed equal to what the manifests say. A pod that changed begins when the
 * one before has ended, because both would want the same ports.
 */
public final class LocalPods implements RunningPods, RuntimeListener, ProbeListener {
  private final ProbeEngine engine;
  private final ProcessRuntime runtime;
  private final Map<PodName, PodSource> wanted = new HashMap<>();
  private final Map<PodName, PodRef> running = new HashMap<>();

  /**
   * Creates an empty set.
   *
   * @param runtime runs them; reports to this object, and is closed with it
   */
  public LocalPods(ProbeEngine engine, ProcessRuntime runtime) {
    this.engine = engine;
    this.runtime = runtime;
    engine.addListener(this);
    runtime.watch(this);
  }

  @Override
  public synchronized void add(List<PodSource> pods) {
    pods.forEach(this::want);
  }

  @Override
  public synchronized void change(ManifestChange change) {
    for (PodSource pod : change.removed()) {
      wanted.remove(PodName.of(pod.ref()));
      settle(PodName.of(pod.ref()));
    }
    change.replaced().stream().map(Replacement::after).forEach(this::want);
    change.added().forEach(this::want);
  }

  @Override
  public synchronized boolean isEnding(PodRef pod) {
    PodSource next = wanted.get(PodName.of(pod));
    return next == null || !next.ref().equals(pod);
  }

  @Override
  public Optional<String> problem() {
    return Optional.empty();
  }

  /** Ends all pods within their grace periods. */
  @Override
  public void close() {
    synchronized (this) {
      wanted.clear();
      // W-10: a pod being stopped is only asked whether it is ready
      running.values().forEach(engine::stopLivenessAndStartup);
    }
    runtime.close();
  }

  private void want(PodSource pod) {
    wanted.put(PodName.of(pod.ref()), pod);
    settle(PodName.of(pod.ref()));
  }

  private void settle(PodName name) {
    PodSource next = wanted.get(name);
    PodRef current = running.get(name);
    if (current != null && (next == null || !next.ref().equals(current))) {
      // W-10: a pod being stopped is only asked whether it is ready
      engine.stopLivenessAndStartup(current);
      var _ = runtime.remove(current);
    } else if (current == null && next != null) {
      running.put(name, next.ref());
      engine.add(next.probed());
      runtime.add(Objects.requireNonNull(next.local(), "a pod to be run has its processes"));
    }
  }

  @Override
  public void observed(PodObservation observation) {
    engine.observed(observation);
  }

  @Override
  public synchronized void gone(PodRef pod) {
    engine.gone(pod);
    engine.remove(pod);
    running.remove(PodName.of(pod), pod);
    settle(PodName.of(pod));
  }

  /** D-5: what waits for a sidecar can start once its startup probe has succeeded. */
  @Override
  public void published(Published result) {
    if (result.subject().kind() == ProbeKind.STARTUP && result.result() == ProbeResult.SUCCESS) {
      runtime.started(result.containerId());
    }
  }
}
