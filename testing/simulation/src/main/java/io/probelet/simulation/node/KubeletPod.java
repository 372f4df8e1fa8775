package io.probelet.simulation.node;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.manifest.pod.ApiPodReader;
import io.probelet.manifest.pod.PodSource;
import io.probelet.manifest.policy.PodRules;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbedPod;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a kubelet remembers of a pod. */
final class KubeletPod {
  private static final Duration FIRST = Duration.ofSeconds(10);
  private static final Duration LONGEST = Duration.ofMinutes(5);

  /** A container that ran for longer than this restarts without back-off. */
  private static final Duration CALM = Duration.ofMinutes(10);

  private final String path;
  private final ScriptedPod scripted;
  private final Instant since;
  private final Map<String, Duration> backOffs = new HashMap<>();
  private final Set<String> waiting = new HashSet<>();
  private boolean stopping;
  private @Nullable String evicted;
  private boolean reportPlanned;
  private @Nullable ObjectNode lastReport;

  KubeletPod(String path, ScriptedPod scripted, Instant since) {
    this.path = path;
    this.scripted = scripted;
    this.since = since;
  }

  /** {@return the probes and policies of a pod; null if it cannot be read} */
  static @Nullable ProbedPod read(ObjectNode pod) {
    if (!(Document.ofProgram(pod.traverse(), Set.of()).root() instanceof Mapping mapping)) {
      return null;
    }
    PodSource source = ApiPodReader.read(mapping, PodRules.LOCAL, ApiPodReader.problems());
    if (source == null) {
      return null;
    }
    ProbedPod read = source.probed();
    return new ProbedPod(
        new PodRef(
            read.ref().namespace(), read.ref().name(), pod.at("/metadata/uid").asText("none")),
        read.restartPolicy(),
        read.terminationGracePeriod(),
        read.containers());
  }

  String path() {
    return path;
  }

  ScriptedPod scripted() {
    return scripted;
  }

  Instant since() {
    return since;
  }

  boolean stopping() {
    return stopping;
  }

  void stop() {
    stopping = true;
  }

  @Nullable String evicted() {
    return evicted;
  }

  void evict(String why) {
    evicted = why;
    stopping = true;
  }

  /** {@return whether the caller has to plan a report, because none is planned} */
  boolean planReport() {
    boolean news = !reportPlanned;
    reportPlanned = true;
    return news;
  }

  /** {@return whether a report differs from the last one} */
  boolean isNews(ObjectNode report) {
    boolean news = !report.equals(lastReport);
    lastReport = report;
    return news;
  }

  /** Reports the status again even if it is unchanged: the last report may be lost. */
  void reportAgain() {
    lastReport = null;
  }

  void reported() {
    reportPlanned = false;
  }

  /** {@return whether a container waits for its back-off} */
  boolean waits(String container) {
    return waiting.contains(container);
  }

  /** Forgets planned starts, because the kubelet that had planned them is gone. */
  void forgetWaits() {
    waiting.clear();
  }

  void starting(String container) {
    waiting.remove(container);
  }

  /** {@return how long a container that has ended waits until it is started again} */
  Duration backOff(ContainerInstance ended, Instant now) {
    String name = ended.container().spec().name();
    Duration ran = Duration.between(ended.startedAt(), now);
    Duration wait =
        ran.compareTo(CALM) > 0 ? Duration.ZERO : backOffs.getOrDefault(name, Duration.ZERO);
    Duration doubled = wait.multipliedBy(2);
    backOffs.put(name, wait.isZero() ? FIRST : doubled.compareTo(LONGEST) < 0 ? doubled : LONGEST);
    waiting.add(name);
    return wait;
  }

  /** Forgets planned starts and back-offs: after a reboot all containers start at once. */
  void rebooted() {
    waiting.clear();
    backOffs.clear();
    reportPlanned = false;
  }
}
