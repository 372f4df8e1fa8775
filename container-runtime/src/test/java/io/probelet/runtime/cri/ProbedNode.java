package io.probelet.runtime.cri;

import io.probelet.health.SystemClock;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.Probers;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeEngine.LoopProber;
import io.probelet.probe.engine.ProbeLimits;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.ProbeLoop;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.RestartGate;
import io.probelet.probe.engine.Restarter;
import io.probelet.probe.engine.StartupMemory;
import io.probelet.probe.exec.ExecProber;
import io.probelet.probe.grpc.GrpcProber;
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
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.RuntimeListener;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;

/** An engine that probes the containers of one runtime and stops those that fail. */
final class ProbedNode implements AutoCloseable {
  final ObservedPods pods = new ObservedPods();
  final CriRuntime runtime;
  final NetLoop loop;
  final ConcurrentLinkedQueue<ProbeListener.Probed> probed = new ConcurrentLinkedQueue<>();
  final ConcurrentLinkedQueue<RestartDecision> restarts = new ConcurrentLinkedQueue<>();
  private final ProbeLoops loops = ProbeLoops.start(1, SystemClock.INSTANCE);
  private final ExecutorService blocking = Executors.newVirtualThreadPerTaskExecutor();
  private final ProbeEngine engine;

  ProbedNode(Path socket, CriOptions options) {
    loop = loops.all().getFirst();
    runtime = CriRuntime.connect(socket, loop.eventLoop(), SystemClock.INSTANCE, options);
    ProbeLoop probeLoop = loop.probeLoop();
    Dialer dialer = new Dialer(loop, new SystemNames(), new TlsContexts(SystemClock.INSTANCE));
    Probers probers =
        new Probers(
            new HttpProber(dialer, "probelet"),
            new TcpProber(dialer),
            new DatagramProber(
                dialer,
                new BodyRuleThreads(),
                _ -> {
                  throw new EchoSockets.UnavailableException("not in this test");
                },
                new SecureRandom()),
            new ExecProber(probeLoop, blocking, runtime),
            new GrpcProber(dialer, () -> "probelet"));
    engine =
        new ProbeEngine(
            List.of(new LoopProber(probeLoop, probers)),
            RandomGenerator.of("L64X128MixRandom"),
            RestartGate.OPEN,
            ProbeLimits.DEFAULT,
            StartupMemory.NONE);
    engine.addListener(
        new Restarter(
            probeLoop,
            blocking,
            decision -> runtime.stop(decision.containerId(), decision.grace()),
            new ProbeListener() {}));
    engine.addListener(new Notes());
    runtime.watch(new Eyes());
  }

  private final class Notes implements ProbeListener {
    @Override
    public void probed(Probed probe) {
      probed.add(probe);
    }

    @Override
    public void restartDecided(RestartDecision decision) {
      restarts.add(decision);
    }
  }

  private final class Eyes implements RuntimeListener {
    @Override
    public void observed(PodObservation observation) {
      pods.observed(observation);
      engine.observed(observation);
    }

    @Override
    public void gone(PodRef pod) {
      pods.gone(pod);
      engine.gone(pod);
    }
  }

  /** Begins to probe the liveness of a pod's containers, by their names. */
  void probe(PodRef pod, Map<String, ProbeSpec> liveness) {
    List<ContainerSpec> containers =
        liveness.entrySet().stream()
            .map(each ->
                new ContainerSpec(
                    each.getKey(),
                    false,
                    null,
                    List.of(),
                    Map.of(),
                    Map.of(),
                    Map.of(ProbeKind.LIVENESS, each.getValue())))
            .toList();
    engine.add(new ProbedPod(pod, RestartPolicy.ALWAYS, Duration.ofSeconds(30), containers));
  }

  /** Ends all probing, so that the next test has the runtime to itself. */
  void probeNoMore() {
    pods.all().forEach(engine::remove);
  }

  /** The probes of one container so far. */
  List<ProbeListener.Probed> of(String containerId) {
    return probed.stream().filter(each -> each.containerId().equals(containerId)).toList();
  }

  @Override
  public void close() {
    runtime.close();
    loops.close();
    blocking.shutdownNow();
  }
}
