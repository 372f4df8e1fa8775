package io.probelet.benchmarks;

import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.util.List;

/** A runtime without containers of its own; the load defines which ones run. */
final class StillRuntime implements ContainerRuntime {
  @Override
  public void watch(RuntimeListener listener) {}

  @Override
  public ExecResult exec(
      PodRef pod, String containerId, List<String> command, Duration timeout, int limit)
      throws ContainerRuntimeException {
    throw new ContainerRuntimeException("nothing runs here");
  }

  @Override
  public ExecResult hook(String containerId, List<String> command, Duration within)
      throws ContainerRuntimeException {
    throw new ContainerRuntimeException("nothing runs here");
  }

  @Override
  public void stop(String containerId, Duration grace) {}

  @Override
  public void close() {}
}
