package io.probelet.runtime.process;

import io.probelet.probe.PodRef;
import java.nio.file.Path;
import java.util.Map;

/**
 * Settings for containers as local processes.
 *
 * @param logDir folder of their output; created if it is missing
 * @param agentEnvironment the agent's own environment, of which containers get only a few
 *     variables: see {@link ProcessRuntime}
 */
public record ProcessSettings(
    Path logDir, LogRotation logRotation, BackOff backOff, Map<String, String> agentEnvironment) {
  /** Keeps an unmodifiable copy of the environment. */
  public ProcessSettings {
    agentEnvironment = Map.copyOf(agentEnvironment);
  }

  /** {@return the log file of a container} */
  public Path logFile(PodRef pod, String container) {
    return new LogFolder(logDir).file(pod.namespace(), pod.name(), container);
  }
}
