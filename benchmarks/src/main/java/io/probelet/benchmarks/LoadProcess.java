package io.probelet.benchmarks;

import io.probelet.agent.console.Console;
import io.probelet.agent.metrics.AgentMetrics;
import io.probelet.agent.run.ProbeService;
import io.probelet.health.SystemClock;
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
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The program under measurement: what {@code probelet run} probes, counts and reports with, around
 * containers that are only said to run. Prints a line at its first probe, works until its standard
 * input ends, then prints what it saw.
 */
public final class LoadProcess {
  /** Said when the first probe has come to its end. */
  static final String FIRST_PROBE = "first probe";

  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private LoadProcess() {}

  /**
   * Runs.
   *
   * @param args kind, workers, period in milliseconds, comma-separated ports
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
    Quiet.logs();
    Tally tally = new Tally();
    try (ProbeService service =
        ProbeService.start(
            ProbeLoops.start(1, SystemClock.INSTANCE), new StillRuntime(), SystemClock.INSTANCE)) {
      service.engine().addListener(new AgentMetrics(Optional.empty(), SystemClock.INSTANCE));
      service.engine().addListener(new Console(SystemClock.INSTANCE));
      service.engine().addListener(tally);
      for (int worker = 0; worker < load.workers(); worker++) {
        add(service, load, worker);
      }
      while (System.in.read() >= 0) { // a line begins the measurement, the end of input ends it
        tally.reset();
      }
    }
    tally.report();
  }

  private static void add(ProbeService service, Load load, int worker) {
    PodRef ref = new PodRef("bench", "pod-" + worker, "uid-" + worker);
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
                  TlsOptions.INSECURE,
                  HttpExpectation.KUBELET);
          case GRPC -> new ProbeHandler.Grpc(load.port(worker), "", null);
        };
    ProbeSpec spec = ProbeSpec.of(handler).period(Duration.ofMillis(load.periodMillis())).build();
    ContainerSpec container =
        new ContainerSpec(
            "c", false, null, List.of(), Map.of(), Map.of(), Map.of(ProbeKind.LIVENESS, spec));
    service
        .engine()
        .add(new ProbedPod(ref, RestartPolicy.ALWAYS, Duration.ofSeconds(30), List.of(container)));
    Instant now = SystemClock.INSTANCE.wallTime();
    service
        .engine()
        .observed(
            new PodObservation(
                ref,
                Phase.RUNNING,
                false,
                false,
                List.of("127.0.0.1"),
                Map.of("c", ContainerObservation.running("id-" + worker, now, 0))));
  }

  /** Counts outcomes and how late probes began, to within an eighth. */
  private static final class Tally implements ProbeListener {
    private static final int BUCKETS = 400;
    private static final double GROWTH = 1.125;

    private final AtomicBoolean begun = new AtomicBoolean();
    private final AtomicLong probes = new AtomicLong();
    private final AtomicLong errors = new AtomicLong();
    private final AtomicLong[] lags = new AtomicLong[BUCKETS];
    private volatile String firstError = "";
    private volatile long longestLag;

    Tally() {
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
