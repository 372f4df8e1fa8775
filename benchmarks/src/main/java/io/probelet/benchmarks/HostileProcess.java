package io.probelet.benchmarks;

import io.probelet.benchmarks.HostileTarget.Way;
import io.probelet.health.SystemClock;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.service.ProbeService;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Probes the {@link HostileTarget} until its standard input ends, then prints the results. */
public final class HostileProcess {
  /** Every probe must have ended this long after its timeout. */
  private static final Duration TOLERANCE = Duration.ofMillis(50);

  private static final Duration TIMEOUT = Duration.ofSeconds(1);

  /** Errors while the JVM compiles are counted separately. */
  private static final Duration WARM_UP = Duration.ofSeconds(15);

  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  private HostileProcess() {}

  /**
   * Runs.
   *
   * @param args workers for each way, then the ports of the ways in order
   * @throws IOException if standard input fails
   */
  public static void main(String[] args) throws IOException {
    int workers = Integer.parseInt(args[0]);
    Quiet.logs();
    RehearsalTotals tally = new RehearsalTotals();
    // A single loop, so that the listener needs no lock.
    try (ProbeService service = ProbeService.builder().runtime(new StillRuntime()).start()) {
      service.engine().addListener(tally);
      int argument = 1;
      for (Way way : Way.values()) {
        int port = Integer.parseInt(args[argument++]);
        for (int worker = 0; worker < workers; worker++) {
          add(service, way, port, worker);
        }
      }
      OUT.println(LoadProcess.FIRST_PROBE);
      while (System.in.read() >= 0) {
        // until the harness closes it
      }
    }
    tally.report();
  }

  private static void add(ProbeService service, Way way, int port, int worker) {
    PodRef ref = new PodRef("bench", way + "-" + worker, way + "-" + worker);
    ProbeHandler handler =
        new ProbeHandler.HttpGet(
            new Port.Numeric(port),
            null,
            "/healthz",
            way == Way.EXPIRED ? Scheme.HTTPS : Scheme.HTTP,
            List.of(),
            TlsOptions.INSECURE,
            HttpExpectation.KUBELET);
    ProbeSpec spec =
        ProbeSpec.of(handler)
            .period(Duration.ofSeconds(1))
            .timeout(TIMEOUT)
            .failureThreshold(Integer.MAX_VALUE)
            .build();
    ContainerSpec container =
        new ContainerSpec(
            way.name(),
            false,
            null,
            List.of(),
            Map.of(),
            Map.of(),
            Map.of(ProbeKind.LIVENESS, spec));
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
                Map.of(way.name(), ContainerObservation.running(way + "-" + worker, now, 0))));
  }

  /** The results of the probes of each way. */
  private static final class RehearsalTotals implements ProbeListener {
    private final Map<Way, Row> warmUp = new EnumMap<>(Way.class);
    private final Map<Way, Row> after = new EnumMap<>(Way.class);
    private final long start = SystemClock.INSTANCE.nanoTime();

    private static final class Row {
      private long probes;
      private long unexpected;
      private long discarded;
      private long late;
      private Duration longest = Duration.ZERO;
      private String said = "";
      private String wrong = "";
    }

    @Override
    public void probed(Probed probe) {
      Way way = Way.valueOf(probe.subject().container());
      boolean warm = SystemClock.INSTANCE.nanoTime() - start >= WARM_UP.toNanos();
      Row row = (warm ? after : warmUp).computeIfAbsent(way, _ -> new Row());
      Verdict verdict = probe.outcome().verdict();
      row.probes++;
      if (verdict instanceof Verdict.ProberError) {
        row.discarded++;
      } else if (verdict.healthy() != way.healthy) {
        row.unexpected++;
        row.wrong = "; wrong: " + firstLine(verdict);
      }
      if (probe.duration().compareTo(TIMEOUT.plus(TOLERANCE)) > 0) {
        row.late++;
      }
      if (probe.duration().compareTo(row.longest) > 0) {
        row.longest = probe.duration();
      }
      row.said = firstLine(verdict);
    }

    private static String firstLine(Verdict verdict) {
      return verdict.text().lines().findFirst().orElse("");
    }

    void report() {
      OUT.printf("in the first %d s:%n", WARM_UP.toSeconds());
      report(warmUp);
      OUT.println("after that:");
      report(after);
    }

    private static void report(Map<Way, Row> rows) {
      rows.forEach((way, row) ->
          OUT.printf(
              "%-8s %7d probes, %d with the wrong result, %d discarded, longest %.0f ms, %d"
                  + " over %d ms; last: %.100s%s%n",
              way,
              row.probes,
              row.unexpected,
              row.discarded,
              row.longest.toNanos() / 1e6,
              row.late,
              TIMEOUT.plus(TOLERANCE).toMillis(),
              way == Way.ENDLESS ? "(binary)" : row.said,
              row.wrong));
    }
  }
}
