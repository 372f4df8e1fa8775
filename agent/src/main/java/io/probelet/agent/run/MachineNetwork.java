package io.probelet.agent.run;

import com.sun.management.UnixOperatingSystemMXBean;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.health.TimeSource;
import io.probelet.probe.file.FileThreads;
import io.probelet.probe.grpc.GrpcProber;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import io.probelet.probe.http.HeaderValues;
import io.probelet.probe.http.HttpProber;
import io.probelet.probe.net.DatagramProber;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.NetLoop;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.net.SystemNames;
import io.probelet.probe.net.TcpProber;
import io.probelet.probe.net.TlsContexts;
import io.probelet.probe.rule.BodyRuleThreads;
import io.probelet.web.http.HttpServers;
import io.probelet.web.metrics.QueueMetrics;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;

/** The sockets of this machine, on event loops of Netty. */
public final class MachineNetwork implements AgentNetwork {
  private final ProbeLoops loops;

  /** What answers HTTP must answer when probing hangs, above all then. */
  private final ProbeLoops answering;

  private final Consumer<SSLSession> onHandshake;
  private final TimeSource time;
  private final SystemNames names = new SystemNames();
  private final FileThreads files = new FileThreads();
  private final BodyRuleThreads bodyRules = new BodyRuleThreads();

  /** Makes what answers to datagrams must repeat, and others must not guess. */
  private final SecureRandom ids = new SecureRandom();

  /**
   * Creates a network.
   *
   * @param loops where probes live; closed with the network
   */
  public MachineNetwork(ProbeLoops loops, TimeSource time) {
    this(loops, _ -> {}, time);
  }

  /**
   * Creates a network with a listener for handshakes.
   *
   * @param onHandshake called on the loop with each TLS handshake that came to its end
   */
  MachineNetwork(ProbeLoops loops, Consumer<SSLSession> onHandshake, TimeSource time) {
    this.loops = loops;
    this.onHandshake = onHandshake;
    this.time = time;
    answering = ProbeLoops.start(1, "http-", time);
  }

  @Override
  public List<Lane> lanes(Supplier<String> userAgent) {
    TlsContexts contexts = new TlsContexts(files, time);
    HeaderValues headers = new HeaderValues(files, time);
    return loops.all().stream().map(loop -> lane(loop, userAgent, contexts, headers)).toList();
  }

  private Lane lane(
      NetLoop loop, Supplier<String> userAgent, TlsContexts contexts, HeaderValues headers) {
    Dialer dialer = new Dialer(loop, names, contexts, onHandshake);
    return new Lane(
        loop.probeLoop(),
        new HttpProber(dialer, userAgent, headers, bodyRules),
        new TcpProber(dialer, bodyRules),
        new DatagramProber(dialer, bodyRules, new PingSockets(), ids),
        new GrpcProber(dialer, userAgent));
  }

  @Override
  public HookRunner hooks(HookLimits limits) {
    return HookRunner.on(loops.all().getFirst(), ProbeService.LIFECYCLE_AGENT, limits);
  }

  @Override
  public HttpServers servers() {
    return HttpServers.on(answering.all().getFirst().eventLoop());
  }

  @Override
  public long maxOpenFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : 0;
  }

  @Override
  public Runnable warmUp(ProbeService service) {
    return WarmUp.start(service, time)::await;
  }

  @Override
  public void addQueuesTo(MeterRegistry registry) {
    QueueMetrics.add(registry, "names", names::underWay, SystemNames.MAX_THREADS);
    QueueMetrics.add(registry, "files", files::waiting, FileThreads.MAX_WAITING);
    QueueMetrics.add(registry, "bodies", bodyRules::waiting, BodyRuleThreads.MAX_WAITING);
  }

  @Override
  public void close() {
    loops.close();
    answering.close();
  }
}
