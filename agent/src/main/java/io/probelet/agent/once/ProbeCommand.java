package io.probelet.agent.once;

import io.probelet.agent.run.ProbeService;
import io.probelet.health.GoDuration;
import io.probelet.health.SystemClock;
import io.probelet.probe.CaCertificates;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTimings;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.net.ProbeLoops;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet probe}: one probe, once, with where its time went. */
@Command(
    name = "probe",
    mixinStandardHelpOptions = true,
    description = "Makes one probe and prints its result and how long each phase took.",
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet probe http://127.0.0.1:8080/healthz",
      "  probelet probe tcp://db:5432",
      "  probelet probe grpc://127.0.0.1:9000/my.Service",
      "  probelet probe -f pod.yaml -c web --kind liveness"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {" 0:success, or success with a warning", " 1:failure", " 2:wrong usage"})
public final class ProbeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "URL",
      description = "http, https, tcp, grpc or grpcs (gRPC over TLS).")
  private @Nullable String url;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Take the probe from a manifest.")
  private @Nullable Path file;

  @Option(
      names = {"-c", "--container"},
      paramLabel = "NAME",
      description = "The container in the manifest.")
  private @Nullable String container;

  @Option(
      names = "--kind",
      paramLabel = "KIND",
      description = "startup, readiness or liveness; needed if the container has several.")
  private @Nullable ProbeKind kind;

  @Option(
      names = "--pod-ip",
      paramLabel = "ADDRESS",
      defaultValue = "127.0.0.1",
      description = "Address to probe in place of the manifest's pod (default: ${DEFAULT-VALUE}).")
  private String podIp;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Timeout of the whole probe (default: 1s, or what the manifest says).")
  private @Nullable String timeout;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "'NAME: VALUE'",
      description = "A header to send with http and https; may be repeated.")
  private List<String> headers = new ArrayList<>();

  @Option(
      names = "--verify",
      description = "Check the certificate; by default any is accepted, as the kubelet does.")
  private boolean verify;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description = "PEM file with the authorities to trust.")
  private @Nullable Path caFile;

  @Option(
      names = "--server-name",
      paramLabel = "NAME",
      description = "Name to send and to verify in TLS, instead of the host.")
  private @Nullable String serverName;

  /** Created by the command line. */
  public ProbeCommand() {}

  @Override
  public Integer call() {
    SingleProbe probe;
    try {
      probe = read();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), String.valueOf(wrong.getMessage()), wrong);
    }
    ProbeOutcome outcome = fire(probe);
    PrintWriter out = spec.commandLine().getOut();
    print(probe, outcome, out);
    out.flush();
    return outcome.verdict().healthy() ? 0 : 1;
  }

  private SingleProbe read() {
    Duration bound = timeout == null ? null : GoDuration.parse(timeout);
    if (bound != null && !bound.isPositive()) {
      throw new IllegalArgumentException("--timeout must be above zero, found " + timeout);
    }
    if (url != null && file == null) {
      CaCertificates authorities = caFile == null ? null : new CaCertificates.InFile(caFile);
      TlsOptions tls = new TlsOptions(verify, authorities, serverName, null, null);
      return UrlProbe.parse(
          url,
          headers.stream().map(ProbeCommand::header).toList(),
          tls,
          bound == null ? Duration.ofSeconds(1) : bound);
    }
    if (url == null && file != null && container != null) {
      SingleProbe found = ManifestProbe.find(file, container, kind, podIp);
      return bound == null
          ? found
          : new SingleProbe(found.what(), found.handler(), found.target(), bound);
    }
    throw new IllegalArgumentException("give a URL, or -f with a manifest and -c with a container");
  }

  private static HttpHeader header(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("header \"" + text + "\" is not like 'Name: value'");
    }
    return new HttpHeader(text.substring(0, colon).strip(), text.substring(colon + 1).strip());
  }

  private static ProbeOutcome fire(SingleProbe probe) {
    try (ProbeService service =
        ProbeService.start(
            ProbeLoops.start(1, SystemClock.INSTANCE),
            new NoContainerRuntime(),
            SystemClock.INSTANCE)) {
      CompletableFuture<ProbeOutcome> outcome = new CompletableFuture<>();
      service.probe(probe.handler(), probe.target(), probe.timeout(), outcome::complete);
      return outcome.join();
    }
  }

  private static void print(SingleProbe probe, ProbeOutcome outcome, PrintWriter out) {
    out.printf("%s  %s%n", word(outcome.verdict()), probe.what());
    ProbeTimings timings = outcome.timings();
    long from = 0;
    from = phase(out, "resolve", from, timings.resolved());
    from = phase(out, "connect", from, timings.connected());
    from = phase(out, "TLS", from, timings.secured());
    phase(out, "first byte", from, timings.firstByte());
    phase(out, "total", 0, timings.total());
    String text = outcome.verdict().text().strip();
    if (!text.isEmpty()) {
      out.println(text);
    }
  }

  /** Prints how long a phase took and returns when it ended. */
  private static long phase(PrintWriter out, String name, long from, long until) {
    if (until == ProbeTimings.NOT_REACHED) {
      return from;
    }
    out.printf(Locale.ROOT, "  %-10s %9.3f ms%n", name, (until - from) / 1e6);
    return until;
  }

  private static String word(Verdict verdict) {
    return switch (verdict) {
      case Verdict.Success _ -> "success";
      case Verdict.Warning _ -> "warning";
      case Verdict.Failure _ -> "failure";
      case Verdict.ProberError _ -> "error";
    };
  }
}
