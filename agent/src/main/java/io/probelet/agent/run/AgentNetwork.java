package io.probelet.agent.run;

import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.probe.ProbeHandler.Datagram;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.Prober;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import io.probelet.web.http.HttpServers;
import java.util.List;
import java.util.function.Supplier;

/**
 * What an agent probes and answers through: the sockets of its machine, or those of a simulated
 * world.
 */
public interface AgentNetwork extends AutoCloseable {
  /** A loop on which probes live, and how those over the network are carried out on it. */
  record Lane(
      ProbeLoop loop,
      Prober<HttpGet> http,
      Prober<TcpSocket> tcp,
      Prober<Datagram> datagram,
      Prober<Grpc> grpc) {}

  /**
   * Puts probers on the loops. Called once.
   *
   * @param userAgent what HTTP and gRPC probes call themselves, asked for each probe
   * @return at least one
   */
  List<Lane> lanes(Supplier<String> userAgent);

  /**
   * {@return what carries out preStop hooks}
   *
   * @param limits how many may be under way
   */
  HookRunner hooks(HookLimits limits);

  /** {@return what opens HTTP servers, which answer also while probing hangs} */
  HttpServers servers();

  /** {@return how many files and sockets may be open at once; 0 if unknown} */
  long maxOpenFiles();

  /**
   * Begins to prepare the first probe that counts (W-21).
   *
   * @return waits until that is done
   */
  Runnable warmUp(ProbeService service);

  /** Adds how full the queues are in which probes wait. */
  void addQueuesTo(MeterRegistry registry);

  /** Ends the loops. Not to be called on one of them. */
  @Override
  void close();
}
