package io.probelet.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** Measures whole processes: Probelet against its peers, on one target, in one run. */
@Command(
    name = "benchmarks/run",
    mixinStandardHelpOptions = true,
    description = "Measures Probelet as a whole process, side by side with others.")
public final class Benchmarks {
  private static final int FIRST_PORT = 18100;
  private static final int PORTS = 16;

  private final PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);

  @Option(
      names = "--seconds",
      scope = ScopeType.INHERIT,
      description = "How long to measure (default: ${DEFAULT-VALUE}).")
  int seconds = 30;

  @Option(
      names = "--warm-up",
      scope = ScopeType.INHERIT,
      description = "Seconds before that, in which the JVM compiles (default: ${DEFAULT-VALUE}).")
  int warmUp = 15;

  @Option(
      names = "--jvm-options",
      scope = ScopeType.INHERIT,
      description = "The options Probelet's JVM gets (default: ${DEFAULT-VALUE}).")
  Path jvmOptions = Path.of("agent/src/main/dist/jvm.options");

  private Benchmarks() {}

  /**
   * Runs one benchmark.
   *
   * @param args see --help
   */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Benchmarks()).execute(args));
  }

  @Command(description = "HTTP probes, 3,000 a second, against blackbox_exporter and haproxy.")
  void http() throws IOException {
    compare(load(Load.Kind.HTTP, 3000, 1000), true);
  }

  @Command(description = "TCP probes, 3,000 a second, against blackbox_exporter and haproxy.")
  void tcp() throws IOException {
    compare(load(Load.Kind.TCP, 3000, 1000), true);
  }

  @Command(description = "HTTPS probes over HTTP/2, 30 a second: what does a probe cost?")
  void https() throws IOException {
    compare(load(Load.Kind.HTTPS, 30, 1000), false);
  }

  @Command(description = "gRPC probes, 1,000 a second: what does a probe cost?")
  void grpc() throws IOException {
    compare(load(Load.Kind.GRPC, 1000, 1000), false);
  }

  @Command(description = "8,000 HTTP probes with a period of 1 s: how late do they start?")
  void scale() throws IOException {
    compare(load(Load.Kind.HTTP, 8000, 1000), false);
  }

  @Command(description = "330 HTTP probes with a period of 10 s: what does a quiet node cost?")
  void idle() throws IOException {
    compare(load(Load.Kind.HTTP, 330, 10_000), false);
  }

  @Command(
      description = "Targets that behave badly, 1,000 probes a second, until 100,000 are done.")
  void hostile() throws IOException, GeneralSecurityException {
    new Hostile(jvmOptions, out).run(Files.createTempDirectory("probelet-bench"), 1000, 110);
  }

  @Command(description = "Checking 5,000 each of Deployments, DaemonSets and StatefulSets.")
  void assess() throws IOException {
    try (Daemon daemon =
        Daemon.start(
            Files.createTempDirectory("probelet-bench"),
            "assess",
            ProbeletContender.command(jvmOptions, AssessProcess.class, List.of("5000")))) {
      out.println(daemon.nextLine());
    }
  }

  @Command(
      description =
          "The leader of node remediation: 50 NodeHealthChecks, 200 node events a second.")
  void remediation(
      @Option(
              names = "--nodes",
              split = ",",
              defaultValue = "150,1500,15000",
              description = "How many nodes, in turn (default: ${DEFAULT-VALUE}).")
          int[] sizes)
      throws IOException {
    for (int nodes : sizes) {
      new Remediation(jvmOptions, out).run(nodes, warmUp, seconds);
    }
    new Remediation(jvmOptions, out).receive(sizes[sizes.length - 1], warmUp, seconds);
  }

  @Command(
      description =
          "Watching the node: 100,000 lines/s through 30 rules, 50 plugins, the defaults alone.")
  void monitor() throws IOException {
    new Monitoring(jvmOptions, out).run(warmUp, seconds);
  }

  @Command(description = "An agent on a node with 250 pods and 750 probes: what does it cost?")
  void agent(
      @Option(
              names = "--program",
              defaultValue = "./probelet",
              description = "What is run, up to its arguments (default: ${DEFAULT-VALUE}).")
          String program)
      throws IOException {
    new ClusterNode(List.of(program.split(" ")), out).run(warmUp, seconds);
  }

  @Command(
      description =
          "A tenant that attacks an agent in every known way, beside 50 honest pods; exit 1 if they"
              + " feel it. --seconds 600 for ten minutes.")
  int tenants(
      @Option(
              names = "--program",
              defaultValue = "./probelet",
              description = "What is run, up to its arguments (default: ${DEFAULT-VALUE}).")
          String program)
      throws IOException, GeneralSecurityException {
    return new Tenants(List.of(program.split(" ")), out).run(warmUp, seconds) ? 0 : 1;
  }

  @Command(
      description =
          "280 pods, each with the largest annotation that is allowed; exit 1 if an agent cannot"
              + " hold them within its memory limit.")
  int annotations(
      @Option(
              names = "--program",
              defaultValue = "./probelet",
              description = "What is run, up to its arguments (default: ${DEFAULT-VALUE}).")
          String program)
      throws IOException {
    return new FullAnnotations(List.of(program.split(" ")), out).run(warmUp, seconds) ? 0 : 1;
  }

  @Command(
      description =
          "The start of an agent until it is ready: CPU time, time and memory, with and without what"
              + " the JVM keeps of earlier starts.")
  void start(
      @Option(
              names = "--program",
              defaultValue = "./probelet",
              description = "What is run, up to its arguments (default: ${DEFAULT-VALUE}).")
          String program)
      throws IOException, GeneralSecurityException {
    new Start(List.of(program.split(" ")), out).run();
  }

  @Command(
      description =
          "An agent with 150 annotated containers of pods that come and go; exit 1 if memory, files"
              + " or threads grow. --seconds 3600 --warm-up 300 for an hour.")
  int soak(
      @Option(
              names = "--program",
              defaultValue = "./probelet",
              description = "What is run, up to its arguments (default: ${DEFAULT-VALUE}).")
          String program)
      throws IOException, GeneralSecurityException {
    return new Soak(List.of(program.split(" ")), out).run(warmUp, seconds) ? 0 : 1;
  }

  @Command(
      description =
          "probelet simulate --tape: 30 days of 1,500 nodes for two candidates; exit 1 if it takes"
              + " more than 10 s or 512 MiB.")
  int tape(
      @Option(
              names = "--program",
              defaultValue = "./probelet",
              description = "What is run, up to its arguments (default: ${DEFAULT-VALUE}).")
          String program,
      @Option(
              names = "--nodes",
              defaultValue = "1500",
              description = "How many nodes (default: ${DEFAULT-VALUE}).")
          int nodes,
      @Option(
              names = "--days",
              defaultValue = "30",
              description = "How many days (default: ${DEFAULT-VALUE}).")
          int days)
      throws IOException, InterruptedException {
    return new TapeSpeed(List.of(program.split(" ")), out).run(nodes, days) ? 0 : 1;
  }

  private static Load load(Load.Kind kind, int workers, int periodMillis) {
    return new Load(kind, workers, periodMillis, Load.ports(FIRST_PORT, PORTS));
  }

  private void compare(Load load, boolean peers) throws IOException {
    List<Contender> contenders = new ArrayList<>();
    contenders.add(new ProbeletContender(jvmOptions));
    if (peers) {
      contenders.add(new BlackboxContender());
      contenders.add(new HaproxyContender());
    }
    Path directory = Files.createTempDirectory("probelet-bench");
    out.printf(
        "%d %s probes with a period of %d ms; %d s after %d s of warm-up; %d cores, %s, JVM %s%n",
        load.workers(),
        load.kind(),
        load.periodMillis(),
        seconds,
        warmUp,
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.arch"),
        Runtime.version());
    List<Measurement> all = new ArrayList<>();
    try (Target target =
        switch (load.kind()) {
          case GRPC -> GrpcTarget.start(load.ports());
          case HTTPS -> HaproxyTarget.startTls(directory, load.ports());
          case HTTP, TCP -> HaproxyTarget.start(directory, load.ports());
        }) {
      for (Contender contender : contenders) {
        all.add(Measurement.of(contender, load, target, directory, warmUp, seconds));
      }
    }
    report(all);
  }

  private void report(List<Measurement> all) {
    Measurement best = all.getLast();
    out.printf(
        "%-18s %14s %10s %9s %9s %9s %12s%n",
        "",
        "CPU-µs/probe",
        "× " + best.contender(),
        "probes/s",
        "% of core",
        "RSS MiB",
        "peak RSS MiB");
    for (Measurement one : all) {
      out.printf(
          "%-18s %14.1f %10.2f %9.0f %9.2f %9.1f %12.1f%n",
          one.contender(),
          one.cpuMicrosPerProbe(),
          one.cpuMicrosPerProbe() / best.cpuMicrosPerProbe(),
          one.probesPerSecond(),
          100 * one.cpuShare(),
          one.rssMiB(),
          one.peakRssMiB());
    }
    Measurement ours = all.getFirst();
    out.printf(
        "probelet: first probe %.2f s after the process was started%n", ours.firstProbeSeconds());
    ours.remarks().forEach(remark -> out.println("probelet: " + remark));
  }
}
