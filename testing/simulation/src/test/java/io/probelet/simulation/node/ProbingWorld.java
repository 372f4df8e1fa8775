package io.probelet.simulation.node;

import io.probelet.agent.cluster.restart.RuntimeEvidence;
import io.probelet.agent.cluster.restart.SuppressedRestarts;
import io.probelet.agent.cluster.restart.ThrottleGate;
import io.probelet.agent.config.ThrottleSettings;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.engine.ProbeEngine;
import io.probelet.probe.engine.ProbeLimits;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.engine.Restarter;
import io.probelet.probe.engine.StartupMemory;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.simulation.kernel.Machine;
import io.probelet.simulation.kernel.SimulatedProcess;
import io.probelet.simulation.kernel.Simulation;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.random.RandomGenerator;

/** A node with scripted containers and an agent of the real engine, under faults of a seed. */
final class ProbingWorld {
  private static final Duration GRACE = Duration.ofSeconds(10);

  final Simulation world;
  final Machine machine;
  final SimulatedRuntime runtime;
  final List<String> broken = new ArrayList<>();
  final Map<String, Integer> seen = new LinkedHashMap<>();
  private final RandomGenerator random;
  private final Set<String> startedBefore = new HashSet<>();
  private SimulatedProcess agent;
  private int lives;

  ProbingWorld(long seed) {
    world = new Simulation(seed);
    machine = new Machine(world, "node");
    runtime = new SimulatedRuntime(world, machine);
    random = world.random("world");
    runtime.onEnd(ended ->
        world.after(
            Duration.ofMillis(random.nextInt(100, 12_000)),
            () -> {
              if (ended.container().newest().equals(ended)) {
                runtime.start(ended.container());
              }
            }));
    runtime.onStop(stop -> count(stop.ran() ? stop.again() ? "stop again" : "stop" : "stop late"));
  }

  private void count(String what) {
    seen.merge(what, 1, Integer::sum);
  }

  ScriptedPod pod(int number, ContainerScript script, Map<ProbeKind, ProbeSpec> probes) {
    PodRef ref = new PodRef("ns" + number % 2, "pod-" + number, "uid-" + number);
    ContainerSpec container =
        new ContainerSpec("main", false, null, List.of(), Map.of("http", 80), Map.of(), probes);
    ProbedPod probed = new ProbedPod(ref, RestartPolicy.ALWAYS, GRACE, List.of(container));
    ScriptedPod pod =
        new ScriptedPod(world, () -> machine, probed, "10.0.0." + (number + 1), false, _ -> script);
    runtime.add(pod);
    runtime.start(pod.containers().getFirst());
    return pod;
  }

  /** Draws pods, and which probes they have. */
  void pods(int count) {
    for (int number = 0; number < count; number++) {
      ProbeHandler handler = handler();
      ProbeSpec liveness =
          ProbeSpec.of(handler)
              .period(Duration.ofSeconds(random.nextInt(1, 11)))
              .timeout(Duration.ofSeconds(random.nextInt(1, 3)))
              .failureThreshold(random.nextInt(1, 4))
              .initialDelay(Duration.ofSeconds(random.nextBoolean() ? 0 : random.nextInt(1, 20)))
              .build();
      Map<ProbeKind, ProbeSpec> probes = new LinkedHashMap<>();
      probes.put(ProbeKind.LIVENESS, liveness);
      if (random.nextBoolean()) {
        probes.put(
            ProbeKind.STARTUP,
            ProbeSpec.of(handler).period(Duration.ofSeconds(5)).failureThreshold(20).build());
      }
      if (random.nextBoolean()) {
        probes.put(ProbeKind.READINESS, ProbeSpec.of(handler).build());
      }
      pod(number, ContainerScript.draw(random), probes);
    }
  }

  private ProbeHandler handler() {
    Port port = new Port.Named("http");
    return switch (random.nextInt(6)) {
      case 0 -> new ProbeHandler.TcpSocket(port, null);
      case 1 -> new ProbeHandler.Exec(List.of("check"));
      case 2 -> new ProbeHandler.Grpc(80, "", null);
      case 3 ->
          new ProbeHandler.AllOf(
              List.of(new ProbeHandler.TcpSocket(port, null), new ProbeHandler.HttpGet(port, "/")));
      default -> new ProbeHandler.HttpGet(port, "/healthz");
    };
  }

  /** Starts the agent, or starts it again. */
  void startAgent() {
    SimulatedProcess process = new SimulatedProcess(machine, "agent-" + lives++);
    agent = process;
    process.start("main", () -> run(process));
  }

  private void run(SimulatedProcess process) {
    SimulatedLoop loop = new SimulatedLoop(process, "probes");
    ContainerRuntime connection = runtime.connect(process);
    ExecutorService blocking =
        Executors.newThreadPerTaskExecutor(process.ofVirtual().name("blocking-", 0).factory());
    ThrottleGate gate =
        new ThrottleGate(
            () -> ThrottleSettings.DEFAULT,
            _ -> false,
            new RuntimeEvidence(connection, process),
            new SuppressedRestarts(process, (_, reason, _) -> count(reason)),
            process);
    Set<String> before = Set.copyOf(startedBefore);
    StartupMemory memory = (_, _, id) -> before.contains(id);
    ProbeEngine engine =
        new ProbeEngine(
            List.of(
                new ProbeEngine.LoopProber(
                    loop, ScriptedProber.of(world, process, loop, runtime, connection, blocking))),
            new Random(process.random("engine").nextLong()),
            gate,
            ProbeLimits.DEFAULT,
            memory);
    engine.addListener(gate);
    engine.addListener(
        new ProbeListener() {
          @Override
          public void probed(Probed probe) {
            if (probe.subject().kind() == ProbeKind.STARTUP
                && probe.outcome().verdict().healthy()) {
              startedBefore.add(probe.containerId());
            }
            count(probe.outcome().verdict().getClass().getSimpleName());
          }

          @Override
          public void published(Published published) {
            process.trace(
                published.subject().pod()
                    + " "
                    + published.subject().kind()
                    + " "
                    + published.result());
          }
        });
    engine.addListener(new StopRules(world, runtime, broken));
    engine.addListener(
        new Restarter(
            loop,
            blocking,
            decision -> connection.stop(decision.containerId(), decision.grace()),
            engine.listeners()));
    connection.watch(engine);
    runtime.pods().forEach(each -> engine.add(each.spec()));
  }

  /** Plans faults until a time. */
  void faults(Duration until) {
    runtime.faults(
        RuntimeFaults.random(
            world.random("runtime"), random.nextDouble(0.2), random.nextDouble(0.1)));
    if (random.nextBoolean()) {
      machine.drift(random.nextDouble(-200, 200));
    }
    nextFault(until.toNanos());
    world.after(until, () -> runtime.faults(RuntimeFaults.NONE));
  }

  private void nextFault(long until) {
    world.after(
        Duration.ofMillis(random.nextInt(1_000, 90_000)),
        () -> {
          if (world.now() < until) {
            fault();
            nextFault(until);
          }
        });
  }

  private void fault() {
    switch (random.nextInt(7)) {
      case 0 -> {
        count("kill");
        agent.kill();
        world.after(Duration.ofMillis(random.nextInt(200, 20_000)), this::startAgent);
      }
      case 1 -> {
        count("freeze");
        SimulatedProcess frozen = agent;
        frozen.freeze();
        world.after(Duration.ofMillis(random.nextInt(10, 20_000)), frozen::thaw);
      }
      case 2 -> {
        count("runtime restart");
        runtime.restart(Duration.ofMillis(random.nextInt(500, 15_000)));
      }
      case 3 -> {
        count("clock step");
        machine.stepWallClock(Duration.ofMillis(random.nextInt(-3_600_000, 3_600_000)));
      }
      case 4 -> {
        count("starvation");
        starve(
            agent,
            world.now() + Duration.ofMillis(random.nextInt(1_000, 60_000)).toNanos(),
            Duration.ofMillis(random.nextInt(10, 3_000)),
            Duration.ofMillis(random.nextInt(5, 500)));
      }
      case 5 -> {
        count("suspend");
        SimulatedProcess asleep = agent;
        asleep.freeze();
        machine.suspend();
        world.after(
            Duration.ofMillis(random.nextInt(100, 60_000)),
            () -> {
              machine.resume();
              asleep.thaw();
            });
      }
      default -> {
        count("outage");
        Behavior[] kinds = {Behavior.UNREACHABLE, Behavior.HANGING, Behavior.WRONG};
        Behavior kind = kinds[random.nextInt(kinds.length)];
        long end = world.now() + Duration.ofMillis(random.nextInt(500, 60_000)).toNanos();
        for (ScriptedPod pod : runtime.pods()) {
          if (random.nextInt(4) > 0) {
            pod.containers().getFirst().disturb(new Spell(world.now(), end, kind));
          }
        }
      }
    }
  }

  /** Freezes a process again and again, as a CPU quota does that is used up. */
  private void starve(SimulatedProcess process, long until, Duration frozen, Duration runs) {
    if (world.now() > until || process.isKilled()) {
      return;
    }
    process.freeze();
    world.after(
        frozen,
        () -> {
          process.thaw();
          world.after(runs, () -> starve(process, until, frozen, runs));
        });
  }
}
