package io.probelet.agent.run;

import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.util.List;

/** Its containers are only said to run. */
final class NoContainers implements ContainerRuntime {
  @Override
  public void watch(RuntimeListener listener) {}

  @Override
  public ExecResult exec(String id, List<String> command, Duration timeout, int limit)
      throws ContainerRuntimeException {
    throw new ContainerRuntimeException("nothing runs here");
  }

  @Override
  public void stop(String containerId, Duration grace) {}

  @Override
  public void close() {}
}
