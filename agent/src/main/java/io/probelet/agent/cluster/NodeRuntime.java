package io.probelet.agent.cluster;

import io.probelet.agent.config.RuntimeChoice;
import io.probelet.health.TimeSource;
import io.probelet.probe.engine.ContainerStopper;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.RuntimeListener;
import io.probelet.runtime.cri.CriOptions;
import io.probelet.runtime.cri.CriRuntime;
import io.probelet.runtime.cri.CriStats;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The node's container runtime, or the lack of one.
 *
 * @param loops carry its connection, and probes; shut down by their owner
 * @param containers the runtime
 * @param name where it is, for logs
 * @param stats how it does; null for the lack of one
 */
record NodeRuntime(
    ProbeLoops loops,
    ContainerRuntime containers,
    String name,
    @Nullable Supplier<CriStats> stats) {
  private static final String NONE = "none";

  /**
   * Finds and connects to a runtime.
   *
   * @param choice which one
   * @param nodeIp what pods in the host network have as their IP
   * @param loops carry the connection
   * @param time measures how long things take
   * @return the runtime, connected or not
   */
  static NodeRuntime open(RuntimeChoice choice, String nodeIp, ProbeLoops loops, TimeSource time) {
    Optional<Path> socket = choice.endpoint();
    if (socket.isEmpty()) {
      return new NodeRuntime(loops, new NoRuntime(), NONE, null);
    }
    CriRuntime cri =
        CriRuntime.connect(
            socket.get(), loops.all().getFirst().eventLoop(), time, new CriOptions(nodeIp));
    return new NodeRuntime(loops, cri, socket.get().toString(), cri::stats);
  }

  /** {@return whether it reports containers; otherwise the API server must do} */
  boolean seesContainers() {
    return stats != null;
  }

  /** {@return what stops containers: the runtime, or in its absence another} */
  ContainerStopper stopper(ContainerStopper otherwise) {
    return seesContainers()
        ? decision -> containers.stop(decision.containerId(), decision.grace())
        : otherwise;
  }

  Optional<String> problem() {
    CriStats now = stats == null ? null : stats.get();
    return now == null || now.connected() ? Optional.empty() : Optional.of(now.problem());
  }

  @Override
  public String toString() {
    return name;
  }

  /** On a node whose runtime cannot be asked. */
  private static final class NoRuntime implements ContainerRuntime {
    @Override
    public void watch(RuntimeListener listener) {
      // it sees nothing
    }

    @Override
    public ExecResult exec(
        String containerId, List<String> command, Duration timeout, int outputLimit)
        throws ContainerRuntimeException {
      throw new ContainerRuntimeException("exec probes need the container runtime's socket");
    }

    @Override
    public void stop(String containerId, Duration grace) throws ContainerRuntimeException {
      throw new ContainerRuntimeException("no container runtime can be asked on this node");
    }

    @Override
    public void close() {
      // it holds nothing
    }
  }
}
