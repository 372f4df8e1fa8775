package io.probelet.benchmarks;

import com.sun.net.httpserver.HttpServer;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The size of the modules, and the number of source files that a maintainer must read to follow a
 * probe, a kernel log line or a Node event through its module: those whose code runs on the way, in
 * the running program.
 */
final class Walks {
  private static final String MAIN_CODE = "[^.]+/src/main/java/.+\\.java";

  private final List<String> program;
  private final boolean names;
  private final PrintStream out;

  /** Traces a program, and lists the files by name on request. */
  Walks(List<String> program, boolean names, PrintStream out) {
    this.program = List.copyOf(program);
    this.names = names;
    this.out = out;
  }

  void run() throws IOException {
    rooms(Path.of(""));
    probe();
    kernelLine();
    nodeEvent();
  }

  /** Prints the files and lines of main code of each module below a folder. */
  private void rooms(Path root) throws IOException {
    List<Path> sources;
    try (Stream<Path> below = Files.walk(root)) {
      sources = below.filter(file -> file.toString().matches(MAIN_CODE)).toList();
    }
    Map<String, List<Path>> modules =
        sources.stream()
            .collect(
                Collectors.groupingBy(
                    file -> file.toString().replaceFirst("/src/main/java/.*", ""),
                    TreeMap::new,
                    Collectors.toList()));
    for (Map.Entry<String, List<Path>> module : modules.entrySet()) {
      long lines = 0;
      for (Path file : module.getValue()) {
        lines += lines(file);
      }
      out.printf("%-32s %3d files %6d lines%n", module.getKey(), module.getValue().size(), lines);
    }
  }

  private void print(String walk, Collection<String> files) {
    out.printf("%-32s %3d files%n", walk, files.size());
    if (names) {
      out.println("  " + String.join(" ", files));
    }
  }

  /** The options of the program, for {@code env}, and the port at which it is traced. */
  private static String traced(int port) {
    return "PROBELET_JAVA_OPTS=" + CodeTrace.jvmOptions(port);
  }

  /**
   * From a new Pod to the request of its liveness probe; and from the answer, a failure, to the
   * start of the container that replaces the failed one.
   */
  private void probe() throws IOException {
    Path directory = TemporaryFolder.create();
    Path pods = Files.createDirectory(directory.resolve("pods"));
    Path starts = directory.resolve("starts");
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answer = new CountDownLatch(1);
    HttpServer target =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    target.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    target.createContext(
        "/",
        exchange -> {
          asked.countDown();
          try {
            answer.await();
          } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
          }
          exchange.sendResponseHeaders(500, -1);
          exchange.close();
        });
    target.start();
    int port = AgentProcess.freePort();
    List<String> command = new ArrayList<>(Daemon.writingTo(directory.resolve("run.out")));
    command.addAll(
        List.of("env", "HOME=" + directory, "XDG_STATE_HOME=" + directory, traced(port)));
    command.addAll(program);
    command.addAll(
        List.of(
            "run",
            pods.toString(),
            "--monitor=none",
            "--listen=127.0.0.1:" + AgentProcess.freePort(),
            "--log-dir=" + directory.resolve("logs")));
    write(pods.resolve("first.yaml"), pod("first", starts, ""));
    try (Daemon _ = Daemon.start(directory, "run", command)) {
      Waiting.until("the first pod runs", () -> lines(starts) == 1);
      try (CodeTrace trace = CodeTrace.attach(port, "io.probelet.probe")) {
        trace.take();
        write(
            pods.resolve("second.yaml"),
            pod("second", starts, probe(target.getAddress().getPort())));
        Waiting.until("the probe's request", () -> asked.getCount() == 0);
        trace.settle();
        print("a probe, down", trace.take());
        answer.countDown();
        Waiting.until("the container's restart", () -> lines(starts) == 3);
        trace.settle();
        print("a probe, back", trace.take());
      }
    } finally {
      answer.countDown();
      target.stop(0);
    }
  }

  private static String pod(String name, Path starts, String probe) {
    return """
    apiVersion: v1
    kind: Pod
    metadata: {namespace: edge, name: %s}
    spec:
      containers:
      - name: web
        image: none
        command: [sh, -c, 'echo >> %s; exec sleep infinity']
    %s\
    """
        .formatted(name, starts, probe);
  }

  private static String probe(int port) {
    return """
        livenessProbe:
          httpGet: {host: 127.0.0.1, path: /healthz, port: %d}
          timeoutSeconds: 60
          failureThreshold: 1
    """
        .formatted(port);
  }

  /** From a line in the kernel log to the condition in the Node's status. */
  private void kernelLine() throws IOException {
    Path directory = TemporaryFolder.create();
    Path log = Files.createFile(directory.resolve("kmsg"));
    Path rules = directory.resolve("monitor.json");
    write(
        rules,
        """
        {"plugin": "kmsg", "logPath": "/dev/kmsg", "lookback": "5m", "source": "walk",
         "conditions": [{"type": "WidgetProblem", "reason": "WidgetIsFine", "message": "ok"}],
         "rules": [{"type": "permanent", "condition": "WidgetProblem", "reason": "WidgetFailed",
                    "pattern": "widget \\\\d+ failed"}]}
        """);
    int port = AgentProcess.freePort();
    try (PretendedApi api = new PretendedApi((_, _, _) -> {})) {
      try (AgentProcess _ =
          AgentProcess.start(
              directory,
              program,
              api,
              List.of(traced(port)),
              List.of("--monitor=" + rules, "--kmsg=" + log))) {
        Waiting.until("the first condition", () -> conditions(api).contains("WidgetIsFine"));
        try (CodeTrace trace = CodeTrace.attach(port, "io.probelet.monitor")) {
          trace.settle();
          trace.take();
          long micros = SystemClock.INSTANCE.nanoTime() / 1_000;
          Files.writeString(
              log, "3,1," + micros + ",-;widget 7 failed\n", StandardOpenOption.APPEND);
          Waiting.until("the condition", () -> conditions(api).contains("WidgetFailed"));
          trace.settle();
          print("a line of the kernel log", trace.take());
        }
      }
    }
  }

  private static String conditions(PretendedApi api) throws IOException {
    return String.valueOf(api.known("nodes", AgentProcess.NODE));
  }

  /** From the event that a Node is no longer ready to the remediation that is created. */
  private void nodeEvent() throws IOException {
    int port = AgentProcess.freePort();
    List<String> command = new ArrayList<>(List.of("env", traced(port)));
    command.addAll(program);
    new Remediation(command, Path.of("none"), 1, 0, out)
        .whileOneFails(
            3,
            fail -> {
              try (CodeTrace trace = CodeTrace.attach(port, "io.probelet.nodehealth")) {
                trace.settle();
                trace.take();
                fail.run();
                trace.settle();
                print("an event of a Node", trace.take());
              }
            });
  }

  private static long lines(Path file) throws IOException {
    return Files.readAllLines(file).size();
  }

  private static void write(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardCharsets.UTF_8);
  }
}
