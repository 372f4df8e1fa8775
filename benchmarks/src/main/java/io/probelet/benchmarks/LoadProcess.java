package io.probelet.benchmarks;

import io.probelet.agent.console.Console;
import io.probelet.health.SystemClock;
import io.probelet.probe.CaCertificates;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeLimits;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.service.ProbeService;
import io.probelet.web.metrics.AgentMetrics;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The program under measurement: what {@code probelet run} probes, counts and reports with, around
 * containers that are only said to run. Prints a line at its first probe, does what standard input
 * says, answers with the same line when that is done, and prints what it saw when its input ends.
 */
public final class LoadProcess {
  /** Said when the first probe has come to its end. */
  static final String FIRST_PROBE = "first probe";

  /** What is seen begins to count; not answered. */
  static final String MEASURE = "measure";

  /** Pauses probing. */
  static final String PAUSE = "pause";

  /** Probes again, having spread its probes over a period. */
  static final String GO_ON = "go on";

  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private LoadProcess() {}

  /** More than a node's pods are allowed (W-13): what is asked for is the cost of each probe. */
  private static final ProbeLimits BEYOND_A_NODE = new ProbeLimits(16, 50, 4096, 100_000);

  /**
   * Runs.
   *
   * @param args kind, workers, period in milliseconds, comma-separated ports, the file with the
   *     authority by which HTTPS is verified if it is
   * @throws IOException if standard input breaks
   */
  public static void main(String[] args) throws IOException {
    List<Integer> ports = Arrays.stream(args[3].split(",", -1)).map(Integer::valueOf).toList();
    Load load =
        new Load(
            Load.Kind.valueOf(args[0]),
            Integer.parseInt(args[1]),
            Integer.parseInt(args[2]),
            ports);
    TlsOptions tls =
        args.length > 4
            ? new TlsOptions(true, new CaCertificates.InFile(Path.of(args[4])), null, null, null)
            : TlsOptions.INSECURE;
    Quiet.logs();
    RehearsalTotals tally = new RehearsalTotals();
    try (ProbeService service =
        ProbeService.builder().runtime(new StillRuntime()).limits(BEYOND_A_NODE).start()) {
      service.engine().addListener(new AgentMetrics(Optional.empty(), SystemClock.INSTANCE));
      service.engine().addListener(new Console(SystemClock.INSTANCE));
      service.engine().addListener(tally);
      for (int worker = 0; worker < load.workers(); worker++) {
        run(service, worker);
        service.engine().add(pod(load, worker, tls));
      }
      obey(service, load, tally, tls);
    }
    tally.report();
  }

  private static void obey(ProbeService service, Load load, RehearsalTotals tally, TlsOptions tls)
      throws IOException {
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      switch (line) {
        case MEASURE -> tally.reset();
        case PAUSE -> {
          service.engine().removeAll().join();
          OUT.println(PAUSE);
        }
        case GO_ON -> {
          spread(service, load, tls);
          OUT.println(GO_ON);
        }
        default -> throw new IllegalArgumentException("no such command: " + line);
      }
    }
  }

  /** An engine that has run for a while probes a pod at once: pods have to come one by one. */
  private static void spread(ProbeService service, Load load, TlsOptions tls) {
    long start = SystemClock.INSTANCE.nanoTime();
    long period = TimeUnit.MILLISECONDS.toNanos(load.periodMillis());
    for (int worker = 0; worker < load.workers(); worker++) {
      long due = start + period * worker / load.workers();
      for (long wait = due - SystemClock.INSTANCE.nanoTime(); wait > 0; ) {
        LockSupport.parkNanos(wait);
        wait = due - SystemClock.INSTANCE.nanoTime();
      }
      service.engine().add(pod(load, worker, tls));
    }
  }

  private static PodRef ref(int worker) {
    return new PodRef("bench", "pod-" + worker, "uid-" + worker);
  }

  private static ProbedPod pod(Load load, int worker, TlsOptions tls) {
    Port port = new Port.Numeric(load.port(worker));
    ProbeHandler handler =
        switch (load.kind()) {
          case HTTP -> new ProbeHandler.HttpGet(port, "/healthz");
          case TCP -> new ProbeHandler.TcpSocket(port, null);
          case HTTPS ->
              new ProbeHandler.HttpGet(
                  port,
                  null,
                  "/healthz",
                  ProbeHandler.Scheme.HTTPS,
                  List.of(),
                  tls,
                  HttpExpectation.KUBELET);
          case GRPC -> new ProbeHandler.Grpc(load.port(worker), "", null);
        };
    ProbeSpec spec = ProbeSpec.of(handler).period(Duration.ofMillis(load.periodMillis())).build();
    ContainerSpec container =
        new ContainerSpec(
            "c", false, null, List.of(), Map.of(), Map.of(), Map.of(ProbeKind.LIVENESS, spec));
    return new ProbedPod(
        ref(worker), RestartPolicy.ALWAYS, Duration.ofSeconds(30), List.of(container));
  }

  private static void run(ProbeService service, int worker) {
    Instant now = SystemClock.INSTANCE.wallTime();
    service
        .engine()
        .observed(
            new PodObservation(
                ref(worker),
                Phase.RUNNING,
                false,
                false,
                List.of("127.0.0.1"),
                Map.of("c", ContainerObservation.running("id-" + worker, now, 0))));
  }

  /** Counts outcomes and how late probes began, to within an eighth. */
  private static final class RehearsalTotals implements ProbeListener {
    private static final int BUCKETS = 400;
    private static final double GROWTH = 1.125;

    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicLong probes = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong[] lags = new AtomicLong[BUCKETS];
    private volatile String firstError = "";
    private volatile long longestLag;

    RehearsalTotals() {
      Arrays.setAll(lags, _ -> new AtomicLong());
    }

    @Override
    public void probed(Probed probe) {
      if (begun.compareAndSet(false, true)) {
        OUT.println(FIRST_PROBE);
      }
      probes.incrementAndGet();
      if (!(probe.outcome().verdict() instanceof Verdict.Success)) {
        if (errors.incrementAndGet() == 1) {
          firstError = probe.outcome().verdict().text();
        }
      }
      long nanos = probe.lag().toNanos();
      int bucket = nanos <= 1 ? 0 : (int) (Math.log((double) nanos) / Math.log(GROWTH));
      lags[Math.min(BUCKETS - 1, bucket)].incrementAndGet();
      longestLag = Math.max(longestLag, nanos);
    }

    void reset() {
      probes.set(0);
      errors.set(0);
      Arrays.stream(lags).forEach(count -> count.set(0));
      longestLag = 0;
    }

    void report() {
      OUT.printf(
          "start lag p50 %s, p99 %s, max %s; %d probes, %d not successful%s%n",
          millis(quantile(0.5)),
          millis(quantile(0.99)),
          millis((double) longestLag),
          probes.get(),
          errors.get(),
          firstError.isEmpty() ? "" : " (first: " + firstError + ")");
    }

    private double quantile(double share) {
      long rank = (long) Math.ceil(share * (double) probes.get());
      long seen = 0;
      for (int bucket = 0; bucket < BUCKETS; bucket++) {
        seen += lags[bucket].get();
        if (seen >= rank) {
          return Math.pow(GROWTH, bucket + 1);
        }
      }
      return (double) longestLag;
    }

    private static String millis(double nanos) {
      return "%.2f ms".formatted(nanos / 1e6);
    }
  }
}
