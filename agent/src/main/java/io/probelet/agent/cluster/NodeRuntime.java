package io.probelet.agent.cluster;

import io.probelet.agent.cluster.pods.NodePods;
import io.probelet.agent.config.RuntimeChoice;
import io.probelet.health.TimeSource;
import io.probelet.probe.PodRef;
import io.probelet.probe.engine.ContainerStopper;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerEvidence;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The node's container runtime, if there is one. It can be replaced while the agent runs. */
public final class NodeRuntime implements ContainerRuntime {
  private static final Logger LOG = LoggerFactory.getLogger(NodeRuntime.class);
  private static final Link NONE = new Link(Optional.empty(), new NoRuntime(), Optional::empty);

  private final Connector connector;
  private volatile Link link;
  private @Nullable RuntimeListener listener;

  /** What is asked at the moment. */
  private record Link(
      Optional<Path> socket, ContainerRuntime containers, Supplier<Optional<CriStats>> stats) {}

  /**
   * A runtime to which there is a connection.
   *
   * @param stats how it does, asked each time
   */
  public record Connected(ContainerRuntime containers, Supplier<CriStats> stats) {}

  /** Connects to runtimes. */
  @FunctionalInterface
  public interface Connector {
    /** {@return the runtime at a socket; closed by the caller} */
    Connected connect(Path socket);

    /**
     * {@return a connector to CRI runtimes}
     *
     * @param loops carry the connection; shut down by their owner
     */
    static Connector cri(CriOptions options, ProbeLoops loops, TimeSource time) {
      return socket -> {
        CriRuntime runtime =
            CriRuntime.connect(socket, loops.all().getFirst().eventLoop(), time, options);
        return new Connected(runtime, runtime::stats);
      };
    }
  }

  /** Finds and connects to a runtime. */
  public NodeRuntime(RuntimeChoice choice, Connector connector) {
    this.connector = connector;
    link = connect(choice.endpoint());
  }

  private Link connect(Optional<Path> socket) {
    return socket
        .map(connector::connect)
        .map(runtime ->
            new Link(socket, runtime.containers(), () -> Optional.of(runtime.stats().get())))
        .orElse(NONE);
  }

  /** Takes another runtime instead; without effect if it is the same after all. */
  synchronized void use(RuntimeChoice choice, NodePods pods) {
    Optional<Path> socket = choice.endpoint();
    if (socket.equals(link.socket())) {
      return;
    }
    link.containers().close();
    link = connect(socket);
    LOG.info("container runtime chosen runtime={}", this);
    pods.runtimeReplaced(seesContainers());
    if (listener != null) {
      link.containers().watch(listener);
    }
  }

  /** {@return where it listens; empty for the lack of one} */
  public Optional<Path> socket() {
    return link.socket();
  }

  /** {@return whether it reports containers; otherwise the API server must do} */
  boolean seesContainers() {
    return link.socket().isPresent();
  }

  /** {@return how it does; empty for the lack of one} */
  Optional<CriStats> stats() {
    return link.stats().get();
  }

  /** {@return what stops containers} */
  ContainerStopper stopper(ContainerStopper here, ContainerStopper otherwise) {
    return decision -> (seesContainers() ? here : otherwise).stop(decision);
  }

  Optional<String> problem() {
    return stats().filter(now -> !now.connected()).map(CriStats::problem);
  }

  @Override
  public synchronized void watch(RuntimeListener hearer) {
    listener = hearer;
    link.containers().watch(hearer);
  }

  @Override
  public ExecResult exec(
      PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit)
      throws ContainerRuntimeException, InterruptedException {
    return link.containers().exec(pod, containerId, command, timeout, outputLimit);
  }

  @Override
  public boolean runs(String containerId) throws ContainerRuntimeException, InterruptedException {
    return link.containers().runs(containerId);
  }

  @Override
  public ContainerEvidence evidence(String containerId)
      throws ContainerRuntimeException, InterruptedException {
    return link.containers().evidence(containerId);
  }

  @Override
  public ExecResult hook(String containerId, List<String> command, Duration within)
      throws ContainerRuntimeException, InterruptedException {
    return link.containers().hook(containerId, command, within);
  }

  @Override
  public void stop(String containerId, Duration grace)
      throws ContainerRuntimeException, InterruptedException {
    link.containers().stop(containerId, grace);
  }

  @Override
  public synchronized void close() {
    link.containers().close();
  }

  @Override
  public String toString() {
    return socket().map(Path::toString).orElse("none");
  }

  /** The runtime of a node without runtime socket. */
  private static final class NoRuntime implements ContainerRuntime {
    @Override
    public void watch(RuntimeListener listener) {
      // it sees nothing
    }

    @Override
    public ExecResult exec(
        PodRef pod, String containerId, List<String> command, Duration timeout, int outputLimit)
        throws ContainerRuntimeException {
      throw new ContainerRuntimeException("exec probes need the socket of the container runtime");
    }

    @Override
    public ExecResult hook(String containerId, List<String> command, Duration within)
        throws ContainerRuntimeException {
      throw new ContainerRuntimeException("preStop hooks need the socket of the container runtime");
    }

    @Override
    public void stop(String containerId, Duration grace) throws ContainerRuntimeException {
      throw new ContainerRuntimeException("no container runtime found on this node");
    }

    @Override
    public void close() {
      // it holds nothing
    }
  }
}
