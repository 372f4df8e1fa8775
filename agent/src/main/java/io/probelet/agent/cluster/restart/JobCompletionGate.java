package io.probelet.agent.cluster.restart;

import io.probelet.agent.cluster.pods.ClusterPod;
import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.agent.cluster.restart.SuppressedRestarts.Why;
import io.probelet.health.OneLine;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import java.util.Locale;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses restarts of containers that may exit with 0 when stopped: the kubelet would count that as
 * a success and mark an unfinished Job complete. The kubelet can tell only for containers that it
 * stops itself.
 */
public final class JobCompletionGate implements RestartGate {
  private static final Logger LOG = LoggerFactory.getLogger(JobCompletionGate.class);

  /** The most characters of a probe's output in a line of the log. */
  private static final int MAX_OUTPUT = 256;

  private final KnownPods pods;
  private final SuppressedRestarts kept;

  /** Creates a gate. */
  public JobCompletionGate(KnownPods pods, SuppressedRestarts kept) {
    this.pods = pods;
    this.kept = kept;
  }

  @Override
  public boolean allows(RestartDecision decision) {
    boolean unsafe = refuses(decision.subject().pod(), decision.subject().container());
    if (unsafe && kept.isNews(decision, Why.RESTART_POLICY)) {
      LOG.warn(
          RestartDecision.LOG_MARKER,
          "restart refused pod={} container={} probe={} reason=\"{}\" output=\"{}\"",
          decision.subject().pod(),
          decision.subject().container(),
          decision.subject().kind().label().toLowerCase(Locale.ROOT),
          "restartPolicy is OnFailure, and exit code 0 would count as success",
          OneLine.of(decision.message(), MAX_OUTPUT));
      kept.report(
          decision,
          "RestartRefused",
          "Container %s failed %s probe, but is not restarted: with restartPolicy OnFailure exit code"
                  .formatted(
                      decision.subject().container(),
                      decision.subject().kind().label().toLowerCase(Locale.ROOT))
              + " 0 would count as success");
    }
    return !unsafe;
  }

  /** {@return whether restarts of a container are refused because it might end as a success} */
  boolean refuses(PodRef ref, String container) {
    return pods.find(ref)
        .map(ClusterPod::probed)
        .filter(pod -> succeedsWithZero(pod, container))
        .isPresent();
  }

  private static boolean succeedsWithZero(ProbedPod pod, String container) {
    return pod.containers().stream()
        .anyMatch(
            each -> each.name().equals(container) && each.succeedsWithZero(pod.restartPolicy()));
  }
}
