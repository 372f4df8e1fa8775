package io.probelet.cli.once;

import io.probelet.agent.run.PingSockets;
import io.probelet.agent.run.WarmUp;
import io.probelet.cli.console.IneffectiveOptions;
import io.probelet.health.FailureReason;
import io.probelet.health.GoDuration;
import io.probelet.health.SystemClock;
import io.probelet.probe.CaCertificates;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.runtime.ContainerRuntime;
import io.probelet.probe.service.ProbeService;
import io.probelet.probe.service.SocketNetwork;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code probelet probe}: runs one probe, once or repeatedly, and times its phases. */
@Command(
    name = "probe",
    mixinStandardHelpOptions = true,
    header = "Run one probe now, and show where its time went",
    description = {
      "Runs one probe and prints its result and the duration of each phase.",
      "It warms up with probes of its own server first, so that the duration is the target's."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  probelet probe http://127.0.0.1:8080/healthz",
      "  probelet probe tcp://db:5432",
      "  probelet probe grpc://127.0.0.1:9000/my.Service",
      "  probelet probe --repeat 100 https://db.example.com/ --verify",
      "  probelet probe -f pod.yaml -c web --kind liveness",
      "  probelet probe --spec '{httpGet: {port: 8080}, expect: {body: {contains: ok}}}'"
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      " 0:success, or success with a warning",
      " 1:at least one failure",
      " 2:wrong usage"
    })
public final class ProbeCommand implements Callable<Integer> {
  private static final String NO_CONTAINER =
      "an exec probe runs inside its container, and `probelet probe` has none; use `probelet run`"
          + " and `probelet status`";
  private static final int MAX_REPEAT = 10_000;

  private static final List<String> OF_TLS =
      List.of("--verify", "--ca-file", "--server-name", "--cert", "--key", "--min-validity");

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "URL",
      description =
          "http, https, h2c (HTTP/2 without TLS), ws, wss, tcp, tls, dns, icmp, grpc or grpcs (gRPC"
              + " over TLS).")
  private @Nullable String url;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "Run a probe of this manifest.")
  private @Nullable Path file;

  @Option(
      names = "--spec",
      paramLabel = "TEXT",
      description =
          "Run this probe, written as in the annotation probelet.io/probes: any handler, allOf,"
              + " anyOf, tls, expect.")
  private @Nullable String written;

  @Option(
      names = "--spec-file",
      paramLabel = "FILE",
      description = "Run the probe in this file, written as for --spec; at most 64 KiB.")
  private @Nullable Path specFile;

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
      description =
          "Address to probe instead of the pod's, with --file and --spec (default:"
              + " ${DEFAULT-VALUE}).")
  private String podIp;

  @Option(
      names = "--timeout",
      paramLabel = "DURATION",
      description = "Timeout of the whole probe (default: the manifest's, else 1s).")
  private @Nullable String timeout;

  @Option(
      names = "--method",
      paramLabel = "METHOD",
      defaultValue = "GET",
      description = "GET, HEAD or POST, with http, https and h2c (default: ${DEFAULT-VALUE}).")
  private ProbeHandler.Method method;

  @Option(
      names = {"-H", "--header"},
      paramLabel = "'NAME: VALUE'",
      description = "Header to send with http, https and h2c; may be repeated.")
  private List<String> headers = new ArrayList<>();

  @Option(
      names = "--authority",
      paramLabel = "HOST[:PORT]",
      description = "Authority to send with grpc and grpcs, instead of the address.")
  private @Nullable String authority;

  @Option(
      names = "--unix-socket",
      paramLabel = "PATH",
      description = "Unix socket to connect to instead of the address, with tcp and HTTP.")
  private @Nullable Path unixSocket;

  @Option(
      names = "--verify",
      description = "Verify the certificate; by default any is accepted, as by the kubelet.")
  private boolean verify;

  @Option(
      names = "--ca-file",
      paramLabel = "FILE",
      description = "PEM file with the certificate authorities to trust; implies --verify.")
  private @Nullable Path caFile;

  @Option(
      names = "--server-name",
      paramLabel = "NAME",
      description = "Server name to send and verify in TLS, instead of the host.")
  private @Nullable String serverName;

  @Option(
      names = "--min-validity",
      paramLabel = "DURATION",
      description = "How long every certificate in TLS must still be valid, such as 336h.")
  private @Nullable String minValidity;

  @Option(
      names = "--cert",
      paramLabel = "FILE",
      description = "PEM file with the client certificate for TLS, with --key.")
  private @Nullable Path certFile;

  @Option(
      names = "--key",
      paramLabel = "FILE",
      description = "PEM file with the PKCS#8 key of --cert.")
  private @Nullable Path keyFile;

  @Option(
      names = "--repeat",
      paramLabel = "COUNT",
      description =
          "Probe so many times in a row and print percentiles, 1 to "
              + MAX_REPEAT
              + " (default: ${DEFAULT-VALUE}).")
  private int repeat = 1; // no defaultValue, which would overwrite the former name's value

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      defaultValue = "text",
      description = "text or json (default: ${DEFAULT-VALUE}).")
  private Format output;

  private enum Format {
    TEXT,
    JSON
  }

  /** Created by the command line. */
  public ProbeCommand() {}

  @Override
  public Integer call() {
    SingleProbe probe;
    try {
      probe = read();
    } catch (IllegalArgumentException wrong) {
      throw new ParameterException(spec.commandLine(), FailureReason.of(wrong), wrong);
    }
    ProbeRuns runs = runs(probe);
    PrintWriter out = spec.commandLine().getOut();
    switch (output) {
      case TEXT -> ProbeReport.print(probe, runs, out);
      case JSON -> out.println(ProbeReport.json(probe, runs).toPrettyString());
    }
    out.flush();
    return runs.allHealthy() ? 0 : 1;
  }

  private SingleProbe read() {
    if (repeat < 1 || repeat > MAX_REPEAT) {
      throw new IllegalArgumentException(
          "--repeat must be from 1 to " + MAX_REPEAT + ", not " + repeat);
    }
    Duration bound = timeout == null ? null : duration("--timeout", timeout);
    if (bound != null && !bound.isPositive()) {
      throw new IllegalArgumentException("--timeout must be above zero, not " + timeout);
    }
    refuseIneffective();
    if (specFile != null) {
      written = SpecProbe.text(specFile);
    }
    if (url != null && file == null && written == null) {
      CaCertificates authorities = caFile == null ? null : new CaCertificates.InFile(caFile);
      if ((certFile == null) != (keyFile == null)) {
        throw new IllegalArgumentException("--cert and --key must be given together");
      }
      Duration validity = minValidity == null ? null : duration("--min-validity", minValidity);
      TlsOptions tls =
          new TlsOptions(
              verify || authorities != null, authorities, serverName, certFile, keyFile, validity);
      return UrlProbe.parse(
          url,
          method,
          headers.stream().map(ProbeCommand::header).toList(),
          authority,
          unixSocket,
          tls,
          bound == null ? Duration.ofSeconds(1) : bound);
    }
    SingleProbe found = null;
    if (url == null && file != null && container != null && written == null) {
      found = ManifestProbe.find(file, container, kind, podIp);
    } else if (url == null && file == null && written != null) {
      found = SpecProbe.read(written, specFile == null ? "--spec" : specFile.toString(), podIp);
    }
    if (found == null) {
      throw new IllegalArgumentException(
          "give a URL, or -f with a manifest and -c with a container, or --spec with a probe");
    }
    return bound == null
        ? found
        : new SingleProbe(found.what(), found.handler(), found.target(), bound);
  }

  private static Duration duration(String option, String text) {
    try {
      return GoDuration.parse(text);
    } catch (IllegalArgumentException malformed) {
      throw new IllegalArgumentException(option + ": " + malformed.getMessage(), malformed);
    }
  }

  private void refuseIneffective() {
    if (written != null) {
      IneffectiveOptions.refuse(spec, "with --spec", List.of("--spec-file"));
    }
    if (url == null) {
      IneffectiveOptions.refuse(
          spec,
          "without a URL",
          Stream.concat(
                  Stream.of("--method", "--header", "--authority", "--unix-socket"),
                  OF_TLS.stream())
              .toList());
    } else {
      IneffectiveOptions.refuse(spec, "with a URL", List.of("--pod-ip"));
      refuseForScheme(url);
    }
    if (file == null) {
      IneffectiveOptions.refuse(spec, "without --file", List.of("--container", "--kind"));
    }
  }

  private void refuseForScheme(String address) {
    int colon = address.indexOf(':');
    String scheme = address.substring(0, Math.max(0, colon)).toLowerCase(Locale.ROOT);
    switch (scheme) {
      case "tcp", "tls", "dns", "grpc", "grpcs" ->
          IneffectiveOptions.refuse(spec, "with " + scheme, List.of("--method", "--header"));
      default -> {} // unknown schemes are refused later
    }
    switch (scheme) {
      case "tls", "dns", "grpc", "grpcs" ->
          IneffectiveOptions.refuse(spec, "with " + scheme, List.of("--unix-socket"));
      default -> {}
    }
    if (!scheme.startsWith("grpc")) {
      IneffectiveOptions.refuse(spec, "with " + scheme, List.of("--authority"));
    }
    switch (scheme) {
      case "tcp", "dns", "grpc" -> IneffectiveOptions.refuse(spec, "with " + scheme, OF_TLS);
      case "h2c", "ws" -> IneffectiveOptions.refuse(spec, "with " + scheme, OF_TLS);
      case "http" ->
          IneffectiveOptions.refuse(spec, "with http", List.of("--server-name", "--min-validity"));
      default -> {}
    }
  }

  private static HttpHeader header(String text) {
    int colon = text.indexOf(':');
    if (colon < 1) {
      throw new IllegalArgumentException("--header \"" + text + "\" is not 'NAME: VALUE'");
    }
    return new HttpHeader(text.substring(0, colon).strip(), text.substring(colon + 1).strip());
  }

  private ProbeRuns runs(SingleProbe probe) {
    AtomicReference<@Nullable SSLSession> session = new AtomicReference<>();
    List<ProbeOutcome> outcomes = new ArrayList<>();
    try (ProbeService service =
        ProbeService.builder()
            .network(SocketNetwork.start(1, new PingSockets(), session::set, SystemClock.INSTANCE))
            .runtime(ContainerRuntime.none(NO_CONTAINER))
            .start()) {
      if (!WarmUp.carryOut(probe.handler(), service, SystemClock.INSTANCE)) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("note: the warm-up failed, so the times include loading the program");
        err.flush();
      }
      session.set(null); // it was the warm-up server's
      for (int i = 0; i < repeat; i++) {
        outcomes.add(probe.carriedOut(service));
      }
    }
    SSLSession last = session.get();
    return new ProbeRuns(outcomes, last == null ? null : TlsFacts.of(last));
  }
}
