package io.probelet.benchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
      names = "--windows",
      scope = ScopeType.INHERIT,
      description =
          "Into how many windows each contender's time is divided (default: ${DEFAULT-VALUE}).")
  int windows = 9;

  @Option(
      names = "--without",
      scope = ScopeType.INHERIT,
      split = ",",
      description = "Contenders to leave out: blackbox_exporter, haproxy.")
  List<String> without = List.of();

  @Option(
      names = "--jvm-options",
      scope = ScopeType.INHERIT,
      description = "The options Probelet's JVM gets (default: ${DEFAULT-VALUE}).")
  Path jvmOptions = Path.of("cli/src/main/dist/jvm.options");

  private Benchmarks() {}

  /** Runs one benchmark. */
  public static void main(String[] args) {
    System.exit(new CommandLine(new Benchmarks()).execute(args));
  }

  @Command(description = "HTTP probes, 3,000 a second, against blackbox_exporter and haproxy.")
  void http() throws IOException {
    compare(load(Load.Kind.HTTP, 3000, 1000), "blackbox_exporter", "haproxy");
  }

  @Command(description = "TCP probes, 3,000 a second, against blackbox_exporter and haproxy.")
  void tcp() throws IOException {
    compare(load(Load.Kind.TCP, 3000, 1000), "blackbox_exporter", "haproxy");
  }

  @Command(
      description =
          "HTTPS probes, no session resumed, against blackbox_exporter and haproxy; several values of"
              + " an option give a table of all combinations.")
  void https(@Mixin HttpsOptions options) throws IOException {
    List<HttpsTable.Row> rows = new ArrayList<>();
    for (TlsLoad tls : options.loads()) {
      for (int rate : options.rates()) {
        Load load = new Load(Load.Kind.HTTPS, rate, 1000, Load.ports(FIRST_PORT, PORTS), tls);
        rows.add(new HttpsTable.Row(load, compare(load, "blackbox_exporter", "haproxy")));
      }
    }
    if (rows.size() > 1) {
      HttpsTable.lines(rows).forEach(out::println);
    }
  }

  @Command(description = "gRPC probes, 1,000 a second, against blackbox_exporter.")
  void grpc() throws IOException {
    compare(load(Load.Kind.GRPC, 1000, 1000), "blackbox_exporter");
  }

  @Command(description = "8,000 HTTP probes with a period of 1 s: how late do they start?")
  void scale(
      @Option(
              names = "--probes",
              defaultValue = "8000",
              description = "How many (default: ${DEFAULT-VALUE}).")
          int probes,
      @Option(
              names = "--period",
              defaultValue = "1000",
              description = "Milliseconds between two of one probe (default: ${DEFAULT-VALUE}).")
          int period)
      throws IOException {
    compare(load(Load.Kind.HTTP, probes, period));
  }

  @Command(description = "330 HTTP probes with a period of 10 s: what does a quiet node cost?")
  void idle() throws IOException {
    compare(load(Load.Kind.HTTP, 330, 10_000));
  }

  @Command(
      description = "Targets that behave badly, 1,000 probes a second, until 100,000 are done.")
  void hostile() throws IOException, GeneralSecurityException {
    new Hostile(jvmOptions, out).run(TemporaryFolder.create(), 1000, 110);
  }

  @Command(description = "A round of ClusterHealth in which nothing changes, watched and listed.")
  void cluster(
      @Option(
              names = "--objects",
              defaultValue = "5000",
              description = "How many components (default: ${DEFAULT-VALUE}).")
          int objects)
      throws IOException {
    ClusterHealthRounds cost = new ClusterHealthRounds(jvmOptions, out);
    cost.run(objects, warmUp, seconds, true);
    cost.run(objects, warmUp, seconds, false);
  }

  @Command(description = "A controller that leads: NodeHealthChecks, 200 node events a second.")
  void remediation(
      @Mixin ProgramOption program,
      @Option(
              names = "--nodes",
              split = ",",
              defaultValue = "150,1500,15000",
              description = "How many nodes, in turn (default: ${DEFAULT-VALUE}).")
          int[] sizes,
      @Option(
              names = "--checks",
              split = ",",
              defaultValue = "50",
              description = "How many NodeHealthChecks, in turn (default: ${DEFAULT-VALUE}).")
          int[] checks,
      @Option(
              names = "--history",
              defaultValue = "0",
              description =
                  "Past remediations, 500 in each RemediationPolicy (default: ${DEFAULT-VALUE}).")
          int history)
      throws IOException {
    for (int nodes : sizes) {
      double first = Double.NaN;
      for (int count : checks) {
        double cost =
            new Remediation(program.words(), jvmOptions, count, history, out)
                .run(nodes, warmUp, seconds);
        if (Double.isNaN(first)) {
          first = cost;
        } else {
          out.printf(
              "%d NodeHealthChecks cost %.2f times what %d cost%n", count, cost / first, checks[0]);
        }
      }
    }
    new Remediation(program.words(), jvmOptions, checks[0], history, out)
        .receive(sizes[sizes.length - 1], warmUp, seconds);
  }

  @Command(
      description =
          "Watching the node: 100,000 lines/s through 30 rules, 50 plugins, the defaults alone.")
  void monitor() throws IOException {
    new Monitoring(jvmOptions, out).run(warmUp, seconds);
  }

  @Command(
      description =
          "1,000 agents and one API server, a real one if KUBEBUILDER_ASSETS names it: requests,"
              + " watches, bytes and CPU at start, idle, per change, at mass failures, after a restart.")
  void fleet(
      @Option(
              names = "--agents",
              defaultValue = "1000",
              description = "How many (default: ${DEFAULT-VALUE}).")
          int agents,
      @Option(
              names = "--pods",
              defaultValue = "30",
              description = "Of each agent (default: ${DEFAULT-VALUE}).")
          int pods,
      @Option(
              names = "--processes",
              defaultValue = "4",
              description = "Among which agents are divided (default: ${DEFAULT-VALUE}).")
          int processes,
      @Option(
              names = "--spread",
              defaultValue = "30",
              description = "Seconds over which agents start (default: ${DEFAULT-VALUE}).")
          int spread,
      @Option(
              names = "--down",
              defaultValue = "20",
              description = "Seconds without the API server (default: ${DEFAULT-VALUE}).")
          int down)
      throws IOException, GeneralSecurityException {
    new Fleet(new Fleet.Size(agents, pods, processes, spread, down), out).run(seconds);
  }

  @Command(description = "An agent on a node with 250 pods and 750 probes: what does it cost?")
  void agent(
      @Mixin ProgramOption program,
      @Option(
              names = "--pods",
              defaultValue = "" + ClusterNode.PODS,
              description = "How many; 0 for an idle agent (default: ${DEFAULT-VALUE}).")
          int pods,
      @Option(
              names = "--monitor",
              defaultValue = "default",
              description = "What it watches the node with (default: ${DEFAULT-VALUE}).")
          String monitors)
      throws IOException {
    new ClusterNode(program.words(), pods, monitors, out).run(warmUp, seconds);
  }

  @Command(
      name = "run",
      description = "probelet run with ten pods and what is built in to watch the node.")
  void runWithPods(@Mixin ProgramOption program) throws IOException {
    new RunWithPods(program.words(), out).run(warmUp, seconds);
  }

  @Command(
      description =
          "A tenant that attacks an agent in every known way, beside 50 honest pods; exit 1 if they"
              + " feel it. --seconds 600 for ten minutes.")
  int tenants(
      @Mixin ProgramOption program,
      @Option(
              names = "--memory-limit",
              defaultValue = "" + Tenants.LIMIT_MIB,
              description =
                  "Memory that the agent, and diagnose beside it, may take together, in MiB"
                      + " (default: ${DEFAULT-VALUE}, as deploy/ has it).")
          int memoryLimit)
      throws IOException, GeneralSecurityException {
    return new Tenants(program.words(), memoryLimit, out).run(warmUp, seconds) ? 0 : 1;
  }

  @Command(
      description =
          "280 pods, each with the largest annotation that is allowed; exit 1 if an agent cannot"
              + " hold them within its memory limit.")
  int annotations(@Mixin ProgramOption program) throws IOException {
    return new FullAnnotations(program.words(), out).run(warmUp, seconds) ? 0 : 1;
  }

  @Command(
      description =
          "Counts the files and lines of each module, and the source files through which a probe, a line of the kernel log and an event of a"
              + " Node pass.")
  void walks(
      @Mixin ProgramOption program,
      @Option(names = "--names", description = "List the files.") boolean names)
      throws IOException {
    new Walks(program.words(), names, out).run();
  }

  @Command(
      description =
          "The start of an agent until it is ready: CPU time, time and memory, with and without what"
              + " the JVM keeps of earlier starts.")
  void start(@Mixin ProgramOption program) throws IOException, GeneralSecurityException {
    new Start(program.words(), out).run();
  }

  @Command(
      description =
          "An agent that is started again and again with hardly any CPU time, beside healthy pods;"
              + " exit 1 if one of them fails. Takes root.")
  int restarts(
      @Mixin ProgramOption program,
      @Option(
              names = "--restarts",
              defaultValue = "50",
              description = "How many starts (default: ${DEFAULT-VALUE}).")
          int restarts,
      @Option(
              names = "--at-once",
              defaultValue = "5",
              description = "How many at a time (default: ${DEFAULT-VALUE}).")
          int atOnce,
      @Option(
              names = "--millicores",
              defaultValue = "100",
              description = "What each may use of a core (default: ${DEFAULT-VALUE}).")
          int millicores)
      throws IOException, GeneralSecurityException {
    return new Restarts(program.words(), out).run(restarts, atOnce, millicores, seconds) ? 0 : 1;
  }

  @Command(
      description =
          "An agent with 150 annotated containers of pods that come and go; exit 1 if memory, files"
              + " or threads grow. --seconds 3600 --warm-up 300 for an hour.")
  int soak(@Mixin ProgramOption program) throws IOException, GeneralSecurityException {
    return new Soak(program.words(), out).run(warmUp, seconds) ? 0 : 1;
  }

  @Command(
      description =
          "probelet simulate --tape: 30 days of 1,500 nodes, one candidate and two; exit 1 if it takes"
              + " more than 10 s or 512 MiB.")
  int tape(
      @Mixin ProgramOption program,
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
    return new TapeSpeed(program.words(), out).run(nodes, days) ? 0 : 1;
  }

  @Command(
      description =
          "All that has a goal, in short and in at most 20 minutes, as one page; exit 1 if a part of"
              + " it failed.")
  int all(
      @Option(
              names = "--only",
              split = ",",
              description = "Run these parts only, by their first word.")
          @Nullable List<String> only,
      @Option(
              names = "--page",
              defaultValue = "target/figures.md",
              description = "Where the page is written (default: ${DEFAULT-VALUE}).")
          Path page)
      throws IOException, InterruptedException {
    List<SuitePart> parts =
        SuiteParts.ALL.stream().filter(part -> only == null || only.contains(part.name())).toList();
    List<String> again =
        List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:+UseZGC",
            "-Xmx4g",
            "-cp",
            System.getProperty("java.class.path"),
            Benchmarks.class.getName());
    return new Suite(again, out).run(parts, page) ? 0 : 1;
  }

  private static Load load(Load.Kind kind, int workers, int periodMillis) {
    return new Load(kind, workers, periodMillis, Load.ports(FIRST_PORT, PORTS));
  }

  private List<SideBySide.Result> compare(Load load, String... peers) throws IOException {
    List<Contender> contenders = new ArrayList<>();
    contenders.add(new ProbeletContender(jvmOptions));
    for (Contender peer : List.of(new BlackboxContender(), new HaproxyContender())) {
      if (List.of(peers).contains(peer.name()) && !without.contains(peer.name())) {
        contenders.add(peer);
      }
    }
    Path directory = TemporaryFolder.create();
    out.printf(
        "%d %s probes with a period of %d ms; %d s of each after %d s of warm-up; %d cores, %s, JVM"
            + " %s, load %s%n",
        load.workers(),
        load.text(),
        load.periodMillis(),
        seconds,
        warmUp,
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.arch"),
        Runtime.version(),
        RunFacts.load());
    SideBySide comparison = new SideBySide(load, windows, seconds, warmUp);
    try (Target target =
        switch (load.kind()) {
          case GRPC -> GrpcTarget.start(load.ports());
          case HTTPS -> HaproxyTarget.startTls(directory, load.ports(), load.tls());
          case HTTP, TCP -> HaproxyTarget.start(directory, load.ports());
        }) {
      List<SideBySide.Result> results = comparison.run(contenders, target, directory);
      SideBySideTable.lines(results).forEach(out::println);
      return results;
    }
  }
}
