package io.probelet.agent.server;

import io.probelet.agent.cluster.pods.KnownPods;
import io.probelet.probe.PodRef;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import java.time.Duration;
import java.util.List;

/**
 * A runtime whose commands are run by the clients where they have handed over the pod (PS-3).
 *
 * @param known the pods of the clients
 * @param commands has clients run commands
 * @param others does everything else
 */
record ClientRuntime(KnownPods known, PendingCommands commands, ContainerRuntime others)
    implements ContainerRuntime {
  @Override
  public ExecResult exec(
      PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException, InterruptedException {
    return known.find(pod).isPresent()
        ? commands.run(pod, containerId, command, timeout, outputLimit)
        : others.exec(pod, containerId, command, timeout, outputLimit);
  }

  @Override
  public boolean runs(String containerId) throws ContainerRuntimeException, InterruptedException {
    return known.hasContainer(containerId) || others.runs(containerId);
  }

  @Override
  public void watch(RuntimeListener listener) {
    others.watch(listener);
  }

  @Override
  public ContainerEvidence evidence(String containerId)
      throws ContainerRuntimeException, InterruptedException {
    return others.evidence(containerId);
  }

  @Override
  public ExecResult hook(String containerId, List<String> command, Duration within)
      throws ContainerRuntimeException, InterruptedException {
    return others.hook(containerId, command, within);
  }

  @Override
  public void stop(String containerId, Duration grace)
      throws ContainerRuntimeException, InterruptedException {
    others.stop(containerId, grace);
  }

  @Override
  public void close() {
    others.close();
  }
}
