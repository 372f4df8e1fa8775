package io.probelet.cli.agent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.cli.Probelet;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A command of Probelet that goes on, in a JVM of its own, as a user has it. */
public final class AgentUnderTest implements AutoCloseable {
  private static final Pattern LISTENING = Pattern.compile("(?:listen=|^)(http://[^ ]+)");

  /** Longer than the agent itself gives an answer. */
  private static final Duration ANSWER = Duration.ofSeconds(40);

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Process process;
  private final HttpClient client = HttpClient.newHttpClient();
  private final ConcurrentLinkedQueue<String> lines = new ConcurrentLinkedQueue<>();
  private String base = "";

  private AgentUnderTest(Process process) {
    this.process = process;
  }

  /** Runs the manifests as processes. */
  static AgentUnderTest start(Path manifests, Path logs) throws IOException {
    return start(manifests, "--log-dir=" + logs, "--back-off=100ms");
  }

  /** Runs the manifests as the options say. */
  static AgentUnderTest start(Path manifests, String... options) throws IOException {
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("run", manifests.toString(), "--listen=127.0.0.1:0"));
    arguments.addAll(List.of(options));
    return start(arguments.toArray(String[]::new));
  }

  /** Starts it with these arguments and waits until it listens. */
  public static AgentUnderTest start(String... arguments) throws IOException {
    return start(Map.of(), arguments);
  }

  /** Starts it with these arguments, and variables besides ours, and waits until it listens. */
  public static AgentUnderTest start(Map<String, String> environment, String... arguments)
      throws IOException {
    return start(ArchivedClasses.options(), environment, arguments);
  }

  /** Starts it with more options for the JVM, the class path among them. */
  static AgentUnderTest start(
      List<String> options, Map<String, String> environment, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("@" + jvmOptions());
    // What the JVM has to say about its archives is nothing that an agent says.
    command.addAll(List.of("-Xlog:cds=off", "-Xlog:aot=off"));
    command.addAll(options);
    // Neither the state nor the temporary files of whoever runs the tests.
    Path states = Files.createDirectories(Path.of("target", "state").toAbsolutePath());
    Path state = Files.createTempDirectory(states, "agent");
    command.add("-Djava.io.tmpdir=" + state);
    command.add(Probelet.class.getName());
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().put("XDG_STATE_HOME", state.toString());
    builder.environment().putAll(environment);
    AgentUnderTest agent = new AgentUnderTest(builder.start());
    BufferedReader output = agent.process.inputReader();
    while (agent.base.isEmpty()) {
      String line = output.readLine();
      if (line == null) {
        throw new IOException("the agent ended: " + agent.lines);
      }
      agent.lines.add(line);
      Matcher listening = LISTENING.matcher(line);
      if (listening.find()) {
        agent.base = listening.group(1);
      }
    }
    Thread.ofVirtual().start(() -> agent.collect(output));
    return agent;
  }

  private void collect(BufferedReader output) {
    try {
      output.lines().forEach(lines::add);
    } catch (UncheckedIOException closed) {
      // close() kills the process and closes its output. Uncaught, this would fail whatever another
      // test awaits.
    }
  }

  long pid() {
    return process.pid();
  }

  /** All it has said so far. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** Where it listens. */
  public URI address() {
    return URI.create(base);
  }

  public String get(String path) throws IOException, InterruptedException {
    HttpRequest request = HttpRequest.newBuilder(URI.create(base + path)).timeout(ANSWER).build();
    return client.send(request, BodyHandlers.ofString()).body();
  }

  public JsonNode containers() throws IOException, InterruptedException {
    return JSON.readTree(get("/api/v1/containers"));
  }

  /** The one container, when there is just one. */
  public JsonNode container() throws IOException, InterruptedException {
    return containers().path(0);
  }

  Stream<ProcessHandle> children() {
    return process.descendants();
  }

  public void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  public int exitCode() throws InterruptedException {
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the agent has not ended: " + lines);
    }
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }

  /** Of the checkout that the tests of some module run in. */
  private static Path jvmOptions() {
    Path folder = Path.of("").toAbsolutePath();
    Path file = folder.resolve("cli/src/main/dist/jvm.options");
    while (!Files.exists(file)) {
      folder = Objects.requireNonNull(folder.getParent(), "no checkout above");
      file = folder.resolve("cli/src/main/dist/jvm.options");
    }
    return file;
  }
}
