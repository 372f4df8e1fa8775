package io.probelet.probe.service;

import com.sun.management.UnixOperatingSystemMXBean;
import io.probelet.health.TimeSource;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.Prober;
import io.probelet.probe.Probers;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.file.FileThreads;
import io.probelet.probe.grpc.GrpcProber;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import io.probelet.probe.http.HeaderValues;
import io.probelet.probe.http.HttpProber;
import io.probelet.probe.net.DatagramProber;
import io.probelet.probe.net.Dialer;
import io.probelet.probe.net.EchoSockets;
import io.probelet.probe.net.NetLoop;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.net.SystemNames;
import io.probelet.probe.net.TcpProber;
import io.probelet.probe.net.TlsContexts;
import io.probelet.probe.rule.BodyRuleThreads;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;

/** The sockets of this machine, on event loops of Netty. */
public final class SocketNetwork implements ProbeNetwork {
  /** The User-Agent of preStop hooks' requests (D-7: the kubelet's). */
  private static final String HOOK_AGENT = "kube-lifecycle/" + ProbeService.KUBERNETES;

  private final ProbeLoops loops;
  private final EchoSockets echoSockets;
  private final Consumer<SSLSession> onHandshake;
  private final TimeSource time;
  private final SystemNames names = new SystemNames();
  private final FileThreads files = new FileThreads();
  private final BodyRuleThreads bodyRules = new BodyRuleThreads();

  /** Makes what answers to datagrams must repeat, and others must not guess. */
  private final SecureRandom ids = new SecureRandom();

  private SocketNetwork(
      int loops, EchoSockets echoSockets, Consumer<SSLSession> onHandshake, TimeSource time) {
    this.loops = ProbeLoops.start(loops, time);
    this.echoSockets = echoSockets;
    this.onHandshake = onHandshake;
    this.time = time;
  }

  /**
   * Starts event loops without ICMP sockets: ICMP probes then have no result.
   *
   * @param loops how many, at least 1; one carries out thousands of probes a second
   * @param time their clocks
   * @return the network, to be closed by the caller or by the service that uses it
   */
  public static SocketNetwork start(int loops, TimeSource time) {
    return start(
        loops,
        ipv4 -> {
          throw new EchoSockets.UnavailableException("this program opens no ICMP sockets");
        },
        time);
  }

  /**
   * Starts event loops.
   *
   * @param loops how many, at least 1; one carries out thousands of probes a second
   * @param echoSockets opens sockets for ICMP
   * @param time their clocks
   * @return the network, to be closed by the caller or by the service that uses it
   */
  public static SocketNetwork start(int loops, EchoSockets echoSockets, TimeSource time) {
    return start(loops, echoSockets, session -> {}, time);
  }

  /**
   * Starts event loops with a listener for TLS handshakes.
   *
   * @param loops how many, at least 1
   * @param echoSockets opens sockets for ICMP
   * @param onHandshake called on the loop after each completed handshake; must not block
   * @param time their clocks
   * @return the network, to be closed by the caller or by the service that uses it
   */
  public static SocketNetwork start(
      int loops, EchoSockets echoSockets, Consumer<SSLSession> onHandshake, TimeSource time) {
    return new SocketNetwork(loops, echoSockets, onHandshake, time);
  }

  /** {@return the event loops, for other I/O that belongs to probing} */
  public ProbeLoops loops() {
    return loops;
  }

  @Override
  public List<LoopProber> probers(
      Supplier<String> userAgent, Function<ProbeLoop, ? extends Prober<Exec>> exec) {
    TlsContexts contexts = new TlsContexts(files, time);
    HeaderValues headers = new HeaderValues(files, time);
    return loops.all().stream()
        .map(loop -> prober(loop, userAgent, exec, contexts, headers))
        .toList();
  }

  private LoopProber prober(
      NetLoop loop,
      Supplier<String> userAgent,
      Function<ProbeLoop, ? extends Prober<Exec>> exec,
      TlsContexts contexts,
      HeaderValues headers) {
    Dialer dialer = new Dialer(loop, names, contexts, onHandshake);
    return new LoopProber(
        loop.probeLoop(),
        new Probers(
            new HttpProber(dialer, userAgent, headers, bodyRules),
            new TcpProber(dialer, bodyRules),
            new DatagramProber(dialer, bodyRules, echoSockets, ids),
            exec.apply(loop.probeLoop()),
            new GrpcProber(dialer, userAgent)));
  }

  @Override
  public HookRunner hooks(HookLimits limits) {
    return HookRunner.on(loops.all().getFirst(), HOOK_AGENT, limits);
  }

  @Override
  public long maxOpenFiles() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : 0;
  }

  @Override
  public List<Queue> queues() {
    return List.of(
        new Queue("names", names::underWay, SystemNames.MAX_THREADS),
        new Queue("files", files::waiting, FileThreads.MAX_WAITING),
        new Queue("bodies", bodyRules::waiting, BodyRuleThreads.MAX_WAITING));
  }

  @Override
  public void close() {
    loops.close();
  }
}
