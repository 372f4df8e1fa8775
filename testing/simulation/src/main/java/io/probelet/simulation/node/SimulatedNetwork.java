package io.probelet.simulation.node;

import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.Prober;
import io.probelet.probe.Probers;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import io.probelet.probe.service.ProbeNetwork;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.web.http.HttpServer;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;

/** The network of a simulated agent: one loop, scripted probes, and HTTP servers in memory. */
final class SimulatedNetwork implements ProbeNetwork {
  private final SimulatedProcess process;
  private final ProbeLoop loop;
  private final Prober<ProbeHandler> prober;

  /** By path: the agent has one server, or several without a common path. */
  private final Map<String, Resource> resources = new LinkedHashMap<>();

  SimulatedNetwork(SimulatedProcess process, ProbeLoop loop, Prober<ProbeHandler> prober) {
    this.process = process;
    this.loop = loop;
    this.prober = prober;
  }

  @Override
  public List<LoopProber> probers(
      Supplier<String> userAgent, Function<ProbeLoop, ? extends Prober<Exec>> exec) {
    Probers all =
        new Probers(prober::probe, prober::probe, prober::probe, exec.apply(loop), prober::probe);
    return List.of(new LoopProber(loop, all));
  }

  @Override
  public HookRunner hooks(HookLimits limits) {
    return new HookRunner(
        loop,
        Executors.newThreadPerTaskExecutor(process.ofVirtual().name("hook-", 0).factory()),
        prober::probe,
        limits);
  }

  /** Opens a server that is asked by calling its resources. */
  HttpServer open(
      ListenAddress address,
      SequencedMap<String, Resource> first,
      Supplier<? extends Collection<String>> hosts) {
    return new MemoryServer(address, first);
  }

  /** A server that is asked by calling its resources. */
  private final class MemoryServer implements HttpServer {
    private final ListenAddress address;

    MemoryServer(ListenAddress address, SequencedMap<String, Resource> first) {
      this.address = address;
      resources.putAll(first);
    }

    @Override
    public ListenAddress address() {
      return address;
    }

    @Override
    public void serve(String path, Resource resource) {
      resources.put(path, resource);
    }

    @Override
    public void close() {
      resources.clear();
    }
  }

  /**
   * {@return what answers a path}
   *
   * @throws IllegalArgumentException if nothing does
   */
  Resource at(String path) {
    Resource found = resources.get(path);
    if (found == null) {
      throw new IllegalArgumentException("not served: " + path);
    }
    return found;
  }

  /** {@inheritDoc} A simulated process has no limit. */
  @Override
  public long maxOpenFiles() {
    return 0;
  }

  @Override
  public List<Queue> queues() {
    return List.of();
  }

  @Override
  public void close() {
    // a loop ends with its process
  }
}
