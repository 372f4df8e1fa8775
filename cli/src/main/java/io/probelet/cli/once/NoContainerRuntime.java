package io.probelet.cli.once;

import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.util.List;

/** A runtime without containers, in which exec probes cannot run. */
final class NoContainerRuntime implements ContainerRuntime {
  @Override
  public void watch(RuntimeListener listener) {}

  @Override
  public ExecResult exec(
      PodRef pod, String containerId, List<String> command, Duration timeout, int limit)
      throws ContainerRuntimeException {
    throw new ContainerRuntimeException(
        "an exec probe runs inside its container, and `probelet probe` has none; use `probelet"
            + " run` and `probelet status`");
  }

  @Override
  public ExecResult hook(String containerId, List<String> command, Duration within)
      throws ContainerRuntimeException {
    throw new ContainerRuntimeException("`probelet probe` runs no hooks");
  }

  @Override
  public void stop(String containerId, Duration grace) {}

  @Override
  public void close() {}
}
