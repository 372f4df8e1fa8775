package io.probelet.runtime.process;

import io.probelet.probe.PodRef;
import java.nio.file.Path;
import java.util.Map;

/**
 * How containers are run as processes.
 *
 * @param logDir where their output goes; made when it is missing
 * @param agentEnvironment the agent's own environment, of which containers get next to nothing: see
 *     {@link ProcessRuntime}
 */
public record ProcessSettings(
    Path logDir, LogRotation logRotation, BackOff backOff, Map<String, String> agentEnvironment) {
  /** Keeps an unmodifiable copy of the environment. */
  public ProcessSettings {
    agentEnvironment = Map.copyOf(agentEnvironment);
  }

  /** {@return the file a container's output is appended to} */
  public Path logFile(PodRef pod, String container) {
    return new LogFolder(logDir).file(pod.namespace(), pod.name(), container);
  }
}
