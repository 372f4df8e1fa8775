package io.probelet.probe.runtime;

import io.probelet.probe.PodRef;
import java.time.Duration;
import java.util.List;

/**
 * A runtime without containers: every call fails.
 *
 * @param reason why, for users
 */
record NoRuntime(String reason) implements ContainerRuntime {
  @Override
  public void watch(RuntimeListener listener) {
    // there is nothing to report
  }

  @Override
  public ExecResult exec(
      PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException {
    throw new ContainerRuntimeException(reason);
  }

  @Override
  public ExecResult hook(String containerId, List<String> command, Duration within)
      throws ContainerRuntimeException {
    throw new ContainerRuntimeException(reason);
  }

  @Override
  public void stop(String containerId, Duration grace) throws ContainerRuntimeException {
    throw new ContainerRuntimeException(reason);
  }

  @Override
  public void close() {
    // holds nothing
  }
}
