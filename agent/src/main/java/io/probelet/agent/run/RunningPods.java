package io.probelet.agent.run;

import io.probelet.manifest.ManifestChange;
import io.probelet.manifest.pod.PodSource;
import io.probelet.probe.PodRef;
import java.util.List;
import java.util.Optional;

/**
 * The pods of the manifests with whatever runs their containers. Safe for use by several threads.
 */
public interface RunningPods extends AutoCloseable {
  /** Takes the pods there are at the start. */
  void add(List<PodSource> pods);

  /** Takes what became different. */
  void change(ManifestChange change);

  /**
   * {@return whether a pod is being ended, because its manifest changed or is gone}
   *
   * @param pod which
   */
  default boolean isEnding(PodRef pod) {
    return false;
  }

  /** {@return what keeps the containers from being seen; empty when all is well} */
  Optional<String> problem();

  /** Lets go of the pods; returns when that is done. */
  @Override
  void close();
}
