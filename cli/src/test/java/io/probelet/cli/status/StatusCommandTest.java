package io.probelet.cli.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.cli.status.AgentClient.Reply;
import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.FullScreen;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.health.ManualClock;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.engine.ContainerSnapshot;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.web.Snapshots;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.api.ManifestsView.InvalidFileView;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.NodeView.Source;
import io.probelet.web.http.Containers;
import io.probelet.web.http.ContainersResource;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import picocli.CommandLine;

/** {@code probelet status} against a real endpoint, and its table by golden text. */
@Timeout(120)
class StatusCommandTest {
  private static final ContainerSnapshot WEB =
      Snapshots.running(
          "default",
          "web",
          "nginx",
          Snapshots.succeeding(ProbeKind.READINESS, "httpGet"),
          Snapshots.failing(
              ProbeKind.LIVENESS,
              "exec",
              "HTTP probe failed\nwith statuscode: 500" + "x".repeat(99)));
  private static final ContainerSnapshot CRASHED =
      Snapshots.container(
          "shop",
          "a-longer-name",
          "db",
          ContainerObservation.waiting("4f1c0a9b8d7e6f5a4b3c", 12, "CrashLoopBackOff"),
          false,
          false,
          Snapshots.untried(ProbeKind.STARTUP, "exec"));
  private static final ContainerSnapshot PLAIN = Snapshots.running("shop", "b", "job");
  private static final Terminal FILE = new Terminal(false, Colours.NONE, 0);
  private static final ContainerSnapshot DONE =
      Snapshots.container(
          "shop",
          "c",
          "job",
          ContainerObservation.terminated("x", Snapshots.NOON, 0, 0),
          false,
          false);

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final ManualClock clock = new ManualClock(Snapshots.NOON.plusSeconds(10));
  private final IoEventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
  private HttpEndpoint endpoint;

  @AfterEach
  void close() {
    if (endpoint != null) {
      endpoint.close();
    }
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Test
  void alignsTableAndShowsReasons() {
    lines(FILE, StatusFilter.ALL).show(reply(WEB, CRASHED, PLAIN));
    assertThat(out.toString().replaceAll("x+", "x"))
        .isEqualToNormalizingNewlines(
            """
            1 of 3 containers not ready; 1 of 3 containers with a warning

            NAMESPACE   POD             CONTAINER   STATE              READY   STARTED   RESTARTS   ID             PROBES                                         LAST
            shop        a-longer-name   db          CrashLoopBackOff   false   false     12         4f1c0a9b8d7e   startup=Unknown                                -
            default     web             nginx       Running            true    true      1          nginx          readiness=Success liveness=Success(2 failed)   6s ago
                liveness probe failed: HTTP probe failed with statuscode: 500x
            shop        b               job         Running            true    true      1          job            -                                              -
            """);
  }

  @Test
  void watchAddsRowForEachChangeInFile() {
    StatusView view = lines(FILE, StatusFilter.ALL);
    view.show(reply(PLAIN, CRASHED));
    clock.advance(Duration.ofSeconds(2));
    view.show(reply(PLAIN, CRASHED));
    view.show(reply(PLAIN, Snapshots.running("shop", "a-longer-name", "db")));
    view.missing("no agent there");
    view.missing("no agent there");
    assertThat(out.toString())
        .isEqualToNormalizingNewlines(
            """
            1 of 2 containers not ready

            NAMESPACE   POD             CONTAINER   STATE              READY   STARTED   RESTARTS   ID             PROBES            LAST
            shop        a-longer-name   db          CrashLoopBackOff   false   false     12         4f1c0a9b8d7e   startup=Unknown   -
            shop        b               job         Running            true    true      1          job            -                 -
            all 2 containers healthy
            shop        a-longer-name   db          Running            true    true      1          db             -                 -
            """);
    assertThat(err.toString().lines()).containsExactly("no agent there");
  }

  @Test
  void watchReplacesScreenOnTerminal() {
    FullScreen screen = new FullScreen(new PrintWriter(out), () -> 24);
    StatusView view =
        new StatusView.Screen(
            screen, new Terminal(false, Colours.ANSI, 0), clock, StatusFilter.ALL);
    view.show(reply(PLAIN));
    view.show(reply(PLAIN));
    view.missing("gone");
    assertThat(out.toString().split("\u001b\\[H", -1)).hasSize(4);
    assertThat(out.toString())
        .contains("\u001b[1mNAMESPACE\u001b[0m", "\u001b[32mRunning\u001b[0m")
        .endsWith("gone\u001b[K\r\n\u001b[J");
  }

  @Test
  void exitsWith0WhenAllAreReadyOrCompleted() throws IOException {
    serve(WEB, PLAIN, DONE);
    assertThat(run("--address", endpoint.address().toString())).isZero();
    assertThat(out.toString())
        .startsWith("1 of 3 containers with a warning\n\nNAMESPACE ")
        .contains("nginx", "(2 failed)", "Completed");
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void exitsWith1WhenOneIsNotReady() throws IOException {
    serve(WEB, CRASHED);
    assertThat(run("--address", endpoint.address().toString())).isEqualTo(1);
    assertThat(out.toString())
        .endsWith(
            "\nNext: probelet explain shop/a-longer-name/db, probelet logs shop/a-longer-name/db\n");
  }

  /** Attack: what listens there is no agent, and its names end up in a command to copy. */
  @Test
  void suggestsNoCommandWithNamesThatShellWouldExecute() throws IOException {
    serve(
        Snapshots.container(
            "shop",
            "web;reboot",
            "db",
            ContainerObservation.waiting("4f1c0a9b8d7e6f5a4b3c", 12, "CrashLoopBackOff"),
            false,
            false));
    assertThat(run("--address", endpoint.address().toString())).isEqualTo(1);
    assertThat(out.toString()).doesNotContain("Next:");
  }

  @Test
  void reportsAgentWithoutContainers() throws IOException {
    serve();
    assertThat(run("--address", endpoint.address().toString())).isZero();
    assertThat(out.toString()).isEqualToNormalizingNewlines("no containers\n\n");
  }

  @Test
  void printsJsonOfAgent() throws IOException {
    serve(WEB);
    assertThat(run("-o", "json", "--address", endpoint.address().toString())).isZero();
    assertThat(out.toString())
        .startsWith("[{\"namespace\":\"default\"")
        .doesNotContain("history\":[{");
  }

  @Test
  void reportsMissingAgentAndWhatToDo() throws IOException {
    ListenAddress closed;
    try (Socket silent = new Socket()) { // has the port, so that nobody else takes it
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      closed = new ListenAddress("127.0.0.1", silent.getLocalPort());
      assertThat(run("--address", closed.toString())).isEqualTo(2);
    }
    assertThat(err.toString())
        .contains(
            "no agent at "
                + closed
                + ": connection refused; start one with"
                + " `probelet run`, or name its address with --address");
  }

  @Test
  void reportsOtherProgramAtAddress() throws IOException {
    serve(_ -> Answer.of(200, Resource.HTML, "<html>"));
    assertThat(run("--address", endpoint.address().toString())).isEqualTo(2);
    serve(_ -> Answer.of(503, Resource.TEXT, "busy"));
    assertThat(run("--address", endpoint.address().toString())).isEqualTo(2);
    assertThat(err.toString())
        .contains(" is not a Probelet agent: unexpected response")
        .contains("no valid answer from the agent at " + endpoint.address() + ": HTTP status 503");
  }

  @Test
  void explainsWrongUsage() {
    assertThat(run("--address", "nowhere")).isEqualTo(2);
    assertThat(run("-o", "xml")).isEqualTo(2);
    assertThat(err.toString())
        .contains("'--address': \"nowhere\" is not host:port")
        .contains("\"xml\" is not allowed; use table or json");
  }

  private int run(String... arguments) {
    return new CommandLine(new StatusCommand())
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(err))
        .execute(arguments);
  }

  @Test
  @DisplayName("B-18 marks a flapping condition, and does not repeat it for its history alone")
  void conditionThatChangesOften() {
    StringWriter shown = new StringWriter();
    StatusView.Lines lines = linesTo(shown);
    for (int changes = 14; changes > 10; changes--) {
      ConditionView link =
          new ConditionView(
              "LinkDown",
              "True",
              "Flapping",
              "down",
              "2026-11-21T12:00:00Z",
              changes,
              List.of(),
              null);
      lines.show(Replies.of("[]", List.of(), List.of(link), List.of(), ManifestsView.VALID));
    }
    assertThat(shown.toString())
        .containsOnlyOnce("LinkDown  ")
        .contains("10s ago, 14 changes in 1h");
  }

  private static StatusView.Lines linesTo(StringWriter shown) {
    return new StatusView.Lines(
        new PrintWriter(shown),
        new PrintWriter(shown),
        new ManualClock(Instant.parse("2026-11-21T12:00:10Z")),
        FILE,
        StatusFilter.ALL);
  }

  private StatusView.Lines lines(Terminal terminal, StatusFilter filter) {
    return new StatusView.Lines(
        new PrintWriter(out), new PrintWriter(err), clock, terminal, filter);
  }

  @Test
  void listsConditionsBelowContainersThenOnlyChanges() {
    StringWriter shown = new StringWriter();
    StatusView.Lines lines = linesTo(shown);
    ConditionView disk =
        new ConditionView(
            "ReadonlyFilesystem", "True", "ReadOnly", "sda1\u001b[31m", "2026-11-21T12:00:00Z");
    ConditionView link =
        new ConditionView("LinkDown", "False", "LinkIsUp", "", "2026-11-21T11:00:00Z");
    List<Source> unavailable =
        List.of(
            new Source(
                "checks/inotify", "unavailable", "not-permitted", "hidden", 0, 0, 0, 0, 0, 0));
    lines.show(Replies.of("[]", List.of(), List.of(disk, link), unavailable, ManifestsView.VALID));
    lines.show(Replies.of("[]", List.of(), List.of(disk, link), unavailable, ManifestsView.VALID));
    assertThat(shown.toString())
        .isEqualTo(
            """
            no containers; ReadonlyFilesystem

            NODE CONDITION       STATUS   REASON     SINCE     MESSAGE
            ReadonlyFilesystem   True     ReadOnly   10s ago   sda1\\u001b[31m
            LinkDown             False    LinkIsUp   60m ago

            NOT CHECKED      REASON          MESSAGE
            checks/inotify   not-permitted   hidden
            """);
  }

  @Test
  void listsInvalidManifestsAboveContainersUntilFixed() {
    StringWriter shown = new StringWriter();
    StatusView.Lines lines = linesTo(shown);
    ManifestsView invalid =
        new ManifestsView(
            List.of(
                new InvalidFileView(
                    "p/a.yaml", 4, 9, "spec.x", "is odd\u001b[31m", 2, "LastValid", ""),
                new InvalidFileView("p/b.yaml", 0, 0, "", "is too large", 1, "Nothing", "")),
            3);
    lines.show(Replies.of("[]", List.of(), List.of(), List.of(), invalid));
    lines.show(Replies.of("[]", List.of(), List.of(), List.of(), invalid));
    lines.show(Replies.of("[]", List.of(), List.of(), List.of(), ManifestsView.VALID));
    assertThat(shown.toString())
        .isEqualTo(
            """
            no containers; 5 invalid manifests

            INVALID MANIFEST   RUNNING              ERROR
            p/a.yaml:4:9       last valid version   spec.x: is odd\\u001b[31m (1 of 2 errors)
            p/b.yaml           nothing              is too large
            and 3 more

            no containers
            All manifests are valid.
            """);
  }

  @Test
  @DisplayName("one pod, one namespace or only what is broken: with the reason and the exit code")
  void filters() throws IOException {
    serve(WEB, CRASHED, PLAIN);
    String address = endpoint.address().toString();
    assertThat(run("--address", address, "web")).isZero();
    assertThat(out.toString()).contains("nginx", "statuscode: 500").doesNotContain("db", "job");
    out.getBuffer().setLength(0);
    assertThat(run("--address", address, "shop/a-longer-name")).isEqualTo(1);
    assertThat(out.toString()).contains("1 of 1 container not ready").doesNotContain("nginx");
    out.getBuffer().setLength(0);
    assertThat(run("--address", address, "-n", "shop", "--unwell", "-o", "json")).isEqualTo(1);
    assertThat(out.toString()).contains("CrashLoopBackOff").doesNotContain("nginx", "job");
    assertThat(run("--address", address, "nowhere")).isEqualTo(2);
    assertThat(run("--address", address, "-n", "x", "web")).isEqualTo(2);
    assertThat(err.toString())
        .contains("the agent has no container of nowhere; `probelet status` lists all")
        .contains("the agent has no container of web in namespace x;");
    out.getBuffer().setLength(0);
    assertThat(run("--address", address, "-n", "typo")).isEqualTo(2);
    assertThat(out.toString()).isEmpty();
    assertThat(err.toString())
        .contains("the agent has no container in namespace typo; `probelet status` lists all");
  }

  @Test
  void namesProblemsOfNodeInFirstLine() {
    StringWriter shown = new StringWriter();
    List<ConditionView> conditions =
        Stream.of("DiskPressure True", "A False", "B True", "C Unknown", "D True", "E True")
            .map(each -> each.split(" "))
            .map(each -> new ConditionView(each[0], each[1], "R", "", "2026-11-21T12:00:00Z"))
            .toList();
    linesTo(shown)
        .show(
            Replies.of(
                "[]",
                reply(CRASHED, PLAIN).containers(),
                conditions,
                List.of(),
                ManifestsView.VALID));
    assertThat(shown.toString())
        .startsWith("1 of 2 containers not ready; DiskPressure, B, D and 1 more; unknown: C\n\n");
  }

  @Test
  void namesConfigurationWithoutEffect() {
    StringWriter shown = new StringWriter();
    Reply plain = reply(PLAIN);
    linesTo(shown)
        .show(
            Replies.of(
                "[]",
                List.of(
                    plain
                        .containers()
                        .getFirst()
                        .withWarnings(List.of("it has \u001b[31mno effect"))),
                List.of(),
                List.of(),
                ManifestsView.VALID));
    assertThat(shown.toString())
        .startsWith("1 of 1 container with a warning")
        .endsWith("\n    warning: it has no effect\n");
  }

  private void serve(ContainerSnapshot... containers) throws IOException {
    serve(
        new ContainersResource(
            new Containers((_, _) -> CompletableFuture.completedFuture(List.of(containers)))));
  }

  private void serve(Resource resource) throws IOException {
    if (endpoint != null) {
      endpoint.close();
    }
    LinkedHashMap<String, Resource> resources = new LinkedHashMap<>();
    resources.put("/api/v1/containers", resource);
    endpoint = new HttpEndpoint(new ListenAddress("127.0.0.1", 0), loops, resources, Set::of);
  }

  private static Reply reply(ContainerSnapshot... containers) {
    return Replies.of(
        "[]",
        List.of(containers).stream().map(each -> ContainerView.of(each, 1)).toList(),
        List.of(),
        List.of(),
        ManifestsView.VALID);
  }
}
