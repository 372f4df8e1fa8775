package io.probelet.cli.agent;

import io.micrometer.core.instrument.FunctionCounter;
import io.probelet.agent.cluster.restart.RuntimeEvidence;
import io.probelet.agent.cluster.restart.SuppressedRestarts;
import io.probelet.agent.cluster.restart.ThrottleGate;
import io.probelet.agent.config.AgentConfiguration;
import io.probelet.agent.config.ThrottleSettings;
import io.probelet.agent.incident.IncidentFile;
import io.probelet.agent.run.AgentRun;
import io.probelet.agent.run.LocalPods;
import io.probelet.agent.run.PingSockets;
import io.probelet.agent.run.RunningPods;
import io.probelet.agent.run.RuntimePods;
import io.probelet.agent.run.UserAgent;
import io.probelet.agent.server.ProbeServer;
import io.probelet.agent.statistics.SavedStatistics;
import io.probelet.health.SystemClock;
import io.probelet.health.Threads;
import io.probelet.manifest.ManifestFolder;
import io.probelet.manifest.policy.ProbeAgent;
import io.probelet.probe.engine.ContainerStopper;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.engine.StatisticsMemory;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.PreKillListener;
import io.probelet.probe.hook.PreKillStopper;
import io.probelet.probe.hook.PreStopStopper;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.service.ProbeService;
import io.probelet.probe.service.SocketNetwork;
import io.probelet.runtime.cri.CriOptions;
import io.probelet.runtime.cri.CriRuntime;
import io.probelet.runtime.process.BackOff;
import io.probelet.runtime.process.LogRotation;
import io.probelet.runtime.process.ProcessRuntime;
import io.probelet.runtime.process.ProcessSettings;
import io.probelet.web.events.RecentEvents;
import io.probelet.web.explain.RestartForecast;
import io.probelet.web.http.ListenAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a {@code probelet run} is made of: a runtime, what probes and stops its containers, and what
 * records that.
 *
 * @param kind what runs the containers
 * @param endpoint the socket of the container runtime; empty if there is none
 * @param hostRoot where the node's root directory is
 * @param maxExecs of exec probes in a container runtime, how many may run at once
 * @param stateDir for state that survives a restart
 * @param logs for the output of local processes
 * @param backOff of local processes
 * @param listen the address of status, API and metrics
 * @param userAgent of HTTP and gRPC probes
 * @param throttleHold the longest delay of a restart while the container is throttled
 * @param trial whether no state is kept
 * @param probeSocket where clients hand over pods; empty for nowhere
 */
record RunParts(
    RunCommand.RuntimeKind kind,
    Optional<Path> endpoint,
    Path hostRoot,
    int maxExecs,
    Path stateDir,
    Path logs,
    BackOff backOff,
    ListenAddress listen,
    ProbeAgent userAgent,
    Duration throttleHold,
    boolean trial,
    Optional<Path> probeSocket) {
  private static final String LOOPBACK = "127.0.0.1";

  /** Lines of its log that the record of an incident holds. */
  private static final int LOG_LINES = 20;

  /**
   * Starts it.
   *
   * @param manifests what runs
   * @param keepsState whether statistics of probes are kept over a restart
   * @return it, closed by the caller
   * @throws IOException if the address or the runtime cannot be had; the message is for the user
   */
  AgentRun start(ManifestFolder manifests, boolean keepsState)
      throws IOException, ContainerRuntimeException {
    SavedStatistics saved = keepsState ? new SavedStatistics(stateDir, Threads.MACHINE) : null;
    SocketNetwork network = SocketNetwork.start(1, new PingSockets(), SystemClock.INSTANCE);
    try {
      return switch (kind) {
        case PROCESS -> overProcesses(manifests, network, saved);
        case CRI -> overCri(manifests, network, saved);
      };
    } catch (IOException | ContainerRuntimeException | RuntimeException unable) {
      network.close();
      throw unable;
    }
  }

  private AgentRun overProcesses(
      ManifestFolder manifests, SocketNetwork network, @Nullable SavedStatistics saved)
      throws IOException, ContainerRuntimeException {
    ProcessSettings settings =
        new ProcessSettings(logs, LogRotation.KUBELET, backOff, System.getenv());
    ProcessRuntime processes =
        ProcessRuntime.open(settings, SystemClock.INSTANCE, network.hooks(HookLimits.NONE));
    try {
      AgentRun run =
          run(
              manifests,
              network,
              processes,
              decision -> stop(processes, decision),
              engine -> new LocalPods(engine, processes),
              saved);
      FunctionCounter.builder(
              "probelet.container.output.dropped.bytes", processes, ProcessRuntime::droppedOutput)
          .description("Bytes of containers' output that were dropped and are in no log.")
          .register(run.metrics().registry());
      return run;
    } catch (IOException taken) {
      processes.close();
      throw taken;
    }
  }

  private static void stop(ProcessRuntime processes, RestartDecision decision)
      throws ContainerRuntimeException, InterruptedException {
    Duration grace = PreStopStopper.least(decision.grace());
    if (decision.restartsPod()) {
      processes.restartPod(decision.containerId(), grace);
    } else {
      processes.stop(decision.containerId(), grace);
    }
  }

  private AgentRun overCri(
      ManifestFolder manifests, SocketNetwork network, @Nullable SavedStatistics saved)
      throws IOException {
    Path socket =
        endpoint.orElseThrow(() ->
            new IOException(
                "no container runtime found at the default sockets; name its socket with"
                    + " --runtime-endpoint unix:///…"));
    CriRuntime containers =
        CriRuntime.connect(
            socket,
            network.loops().all().getFirst().eventLoop(),
            SystemClock.INSTANCE,
            new CriOptions(LOOPBACK).withMaxExecs(maxExecs).withRoot(hostRoot));
    try {
      AgentRun run =
          run(
              manifests,
              network,
              containers,
              new PreStopStopper(
                  containers,
                  network.hooks(HookLimits.NONE),
                  SystemClock.INSTANCE,
                  (_, _) -> {}), // it is logged
              engine -> new RuntimePods(engine, containers, containers::stats),
              saved);
      run.metrics().runtime(() -> Optional.of(containers.stats()));
      return run;
    } catch (IOException taken) {
      containers.close();
      throw taken;
    }
  }

  private AgentRun run(
      ManifestFolder manifests,
      SocketNetwork network,
      ContainerRuntime containers,
      ContainerStopper stopper,
      Function<ProbeEngine, RunningPods> podsOf,
      @Nullable SavedStatistics saved)
      throws IOException {
    RecentEvents events = new RecentEvents(SystemClock.INSTANCE);
    SuppressedRestarts kept = new SuppressedRestarts(SystemClock.INSTANCE, events::kept);
    ThrottleSettings settings = throttleSettings();
    RuntimeEvidence evidence = new RuntimeEvidence(containers, SystemClock.INSTANCE);
    ThrottleGate gate =
        new ThrottleGate(() -> settings, _ -> false, evidence, kept, SystemClock.INSTANCE);
    AtomicReference<PreKillListener> preKills = new AtomicReference<>(PreKillListener.NONE);
    Optional<ProbeServer> server =
        probeSocket.map(_ ->
            new ProbeServer(
                AgentConfiguration.DEFAULT.podRules(), new SecureRandom(), SystemClock.INSTANCE));
    UserAgent name = new UserAgent();
    name.use(userAgent);
    ContainerRuntime all = server.map(each -> each.runtime(containers)).orElse(containers);
    ProbeService service =
        ProbeService.builder()
            .network(network)
            .runtime(all)
            .stopper(
                new PreKillStopper(
                    server.map(each -> each.stopper(stopper)).orElse(stopper),
                    all,
                    (decision, report) -> preKills.get().ended(decision, report),
                    Threads.MACHINE))
            .gate(server.map(each -> each.gate().and(gate)).orElse(gate))
            .statistics(saved == null ? StatisticsMemory.NONE : saved)
            .userAgent(name)
            .start();
    service.engine().addListener(gate);
    AgentRun run;
    try {
      if (server.isPresent()) {
        server.get().open(probeSocket.get(), service.engine());
      }
      run =
          new AgentRun(
              manifests,
              service,
              listen,
              events,
              new AgentRun.Incidents(evidence, kept, incidentFile(), logLines()),
              SystemClock.INSTANCE,
              podsOf);
    } catch (IOException taken) {
      server.ifPresent(ProbeServer::close);
      throw taken;
    }
    server.ifPresent(run::serves);
    if (saved != null) {
      run.keep(saved);
    }
    preKills.set(run.incidents());
    run.explains(gate.forecast(RestartForecast.UNGUARDED));
    kept.addTo(run.metrics().registry());
    return run;
  }

  /** A trial keeps no state. */
  private IncidentFile incidentFile() {
    return trial ? IncidentFile.none() : IncidentFile.in(stateDir, Threads.MACHINE);
  }

  /** The last lines of logs are for those on this machine. */
  private int logLines() {
    return listen.isLoopback() ? LOG_LINES : 0;
  }

  /** The annotation of a pod may ask for less; what this option says is the most. */
  private ThrottleSettings throttleSettings() {
    return new ThrottleSettings(!throttleHold.isZero(), throttleHold, throttleHold);
  }
}
