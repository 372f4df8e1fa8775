package io.probelet.monitor.plugin;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.RuntimeQuery;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.Monitor.PluginRule;
import io.probelet.monitor.rule.PluginProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(300)
class BuiltInsTest {
  @TempDir Path dir;
  private final Map<String, String> environment = new HashMap<>();
  private Optional<RuntimeQuery> runtime = Optional.empty();
  private String journal = "exit 0";
  private Instant boot = Instant.EPOCH;
  private Duration timeout = Duration.ofMinutes(1);

  private PluginResult run(String plugin, String... args) throws Exception {
    Path journalctl =
        Files.writeString(
            dir.resolve("journalctl"), "#!/bin/sh\necho \"$@\" >" + dir + "/asked\n" + journal);
    Files.setPosixFilePermissions(journalctl, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new PluginRun(
            new PluginRule(
                new Consequence.EventOnly("R", EvidenceThreshold.NONE),
                "/home/kubernetes/bin/" + plugin,
                List.of(args),
                timeout,
                Duration.ofSeconds(30),
                PluginProcess.DEFAULT),
            80,
            new BuiltIns(
                Machine.of(dir, dir, runtime, SystemClock.INSTANCE, new Random(1)),
                new JournalAccess(false, journalctl.toString()),
                () -> boot,
                environment))
        .run();
  }

  private static PluginResult ran(ConditionStatus status, String message, int maxLength) {
    return ran(status, message.substring(0, Math.min(message.length(), maxLength)));
  }

  private static PluginResult ran(ConditionStatus status, String message) {
    return new PluginResult.Ran(status, message, false);
  }

  private HttpServer healthz(int status) throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
    server.createContext(
        "/healthz",
        exchange -> {
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    environment.put("KUBELET_PORT", "" + server.getAddress().getPort());
    environment.put("KUBEPROXY_PORT", "" + server.getAddress().getPort());
    return server;
  }

  @ParameterizedTest
  @CsvSource({"kubelet, 200", "kubelet, 500", "kube-proxy, 200", "kube-proxy, 503"})
  @DisplayName("A-9 health-checker checks kubelet and kube-proxy with its own flags")
  void http(String component, int status) throws Exception {
    HttpServer server = healthz(status);
    try {
      PluginResult result =
          run(
              "health-checker",
              "--component=" + component,
              "--enable-repair=true",
              "--cooldown-time",
              "1m",
              "--health-check-timeout=1m");
      String url = "http://127.0.0.1:" + server.getAddress().getPort() + "/healthz";
      assertThat(result)
          .isEqualTo(
              status == 200 ? ran(FALSE, "") : ran(TRUE, url + " answered with status " + status));
    } finally {
      server.stop(0);
    }
  }

  @Test
  @DisplayName("A-9 health-checker: a refused connection is a problem from the first run on")
  void nobody() throws Exception {
    try (Socket silent = new Socket()) { // has the port, so that nobody else takes it
      silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      environment.put("KUBELET_PORT", "" + silent.getLocalPort());
      assertThat(((PluginResult.Ran) run("health-checker")).status()).isEqualTo(TRUE);
    }
  }

  @Test
  @DisplayName("A-9 health-checker checks the container runtime and Docker")
  void runtimes() throws Exception {
    assertThat(run("health-checker", "--component=cri"))
        .isEqualTo(ran(UNKNOWN, "no container runtime found"));
    runtime = Optional.of(_ -> new RuntimeQuery.Status("", "", Duration.ofSeconds(1)));
    assertThat(run("health-checker", "--component=cri")).isEqualTo(ran(FALSE, ""));
    assertThat(run("health-checker", "--component=cri", "--cri-timeout=500ms"))
        .isEqualTo(ran(TRUE, "container runtime took longer to list containers than 500ms"));
    Path socket = Files.createDirectories(dir.resolve("var/run")).resolve("docker.sock");
    assertThat(((PluginResult.Ran) run("health-checker", "--component=docker")).status())
        .isEqualTo(TRUE);
    try (ServerSocketChannel docker = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      docker.bind(UnixDomainSocketAddress.of(socket));
      Thread answer =
          Thread.ofPlatform()
              .daemon()
              .start(() -> {
                try (SocketChannel client = docker.accept()) {
                  client.read(ByteBuffer.allocate(512));
                  client.write(
                      ByteBuffer.wrap(
                          "HTTP/1.0 200 OK\r\n\r\nOK".getBytes(StandardCharsets.US_ASCII)));
                } catch (IOException broken) {
                  throw new UncheckedIOException(broken);
                }
              });
      assertThat(run("health-checker", "--component=docker")).isEqualTo(ran(FALSE, ""));
      answer.join();
    }
  }

  @Test
  @DisplayName("A-9 health-checker: --log-pattern finds frequent log lines of the service")
  void logPattern() throws Exception {
    HttpServer server = healthz(200);
    try {
      Files.createFile(
          Files.createDirectories(dir.resolve("var/log/journal/0123")).resolve("system.journal"));
      journal = "printf 'PLEG is not healthy\\nfine\\npleg IS not healthy again\\n'";
      String pattern = "--log-pattern=2:pleg is not healthy";
      assertThat(run("health-checker", pattern, "--loopback-time=10m"))
          .isEqualTo(ran(TRUE, "at least 2 lines match pleg is not healthy"));
      assertThat(Files.readString(dir.resolve("asked")))
          .contains("--unit=kubelet --since=@", "--root=" + dir);
      assertThat(run("health-checker", pattern.replace("2", "3"))).isEqualTo(ran(FALSE, ""));
      assertThat(run("health-checker", pattern.replace("2", "3"), "--log-pattern=1:fine"))
          .isEqualTo(ran(TRUE, "at least 1 lines match fine"));
      assertThat(Files.readString(dir.resolve("asked"))).contains("--since=@0");
    } finally {
      server.stop(0);
    }
  }

  @Test
  @DisplayName("A-9 log-counter counts matching lines minus reverted ones")
  void logCounter() throws Exception {
    journal = "printf 'Started x.\\nStarted y.\\nStopping y.\\nStarted z.\\nStarted? no\\n'";
    String[] args = {
      "--journald-source=systemd",
      "--log-path=/" + dir.relativize(journalFolder()),
      "--lookback=20m",
      "--count=2",
      "--pattern=Started .\\.",
      "--revert-pattern=Stopping .*"
    };
    assertThat(run("log-counter", args)).isEqualTo(ran(TRUE, "2 matching lines, threshold 2"));
    assertThat(Files.readString(dir.resolve("asked")))
        .contains("--identifier=systemd", "--directory=" + journalFolder());
    args[3] = "--count=3";
    assertThat(run("log-counter", args)).isEqualTo(ran(FALSE, ""));
  }

  private Path journalFolder() throws Exception {
    Path machine = Files.createDirectories(dir.resolve("journal/0123"));
    Files.write(machine.resolve("system.journal"), new byte[0]);
    return dir.resolve("journal");
  }

  @Test
  @DisplayName("A-9, B-15 without a journal the result is Unknown, not OK")
  void noJournal() throws Exception {
    Path folder = Files.createDirectories(dir.resolve("empty/0123")).getParent();
    assertThat(
            run(
                "log-counter",
                "--journald-source=x",
                "--pattern=y",
                "--log-path=/" + dir.relativize(folder)))
        .isEqualTo(ran(UNKNOWN, "cannot read the journal: none found in " + folder, 80));
  }

  @Test
  @DisplayName("A-9, A-6 a failing or hanging journal is Unknown")
  void failing() throws Exception {
    String[] args = {
      "--journald-source=x", "--pattern=y", "--log-path=/" + dir.relativize(journalFolder())
    };
    journal = "echo 'no journal files' >&2; exit 1";
    assertThat(((PluginResult.Ran) run("log-counter", args)).status()).isEqualTo(UNKNOWN);
    journal = "exec sleep 30";
    timeout = Duration.ofMillis(300);
    PluginResult.Ran late = (PluginResult.Ran) run("log-counter", args);
    assertThat(late.status()).isEqualTo(UNKNOWN);
  }

  @ParameterizedTest
  @CsvSource({
    "health-checker, --component=kubelat, --component kubelat: must be kubelet",
    "health-checker, --odd, unknown argument --odd",
    "health-checker, --component, --component requires a value",
    "health-checker, --log-pattern=x, --log-pattern x: must be COUNT:PATTERN",
    "log-counter, --count=1, --journald-source and --pattern are required",
    "log-counter, --lookback=x, --journald-source and --pattern are required",
    "something-else, '', /home/kubernetes/bin/something-else does not exist"
  })
  @DisplayName("A-9 invalid arguments are reported, and the plugin does not run")
  void wrong(String plugin, String arg, String message) throws Exception {
    assertThat(((PluginResult.NotRun) run(plugin, arg)).why()).contains(message);
  }

  @Test
  @DisplayName("A-9 the boot is where the present clock has it: a clock set back hides no line")
  void clockSetBack() throws Exception {
    String[] counter = {
      "--journald-source=s",
      "--pattern=p",
      "--lookback=20m",
      "--log-path=/" + dir.relativize(journalFolder())
    };
    Instant now = SystemClock.INSTANCE.wallTime();
    boot = now.minusSeconds(60);
    run("log-counter", counter);
    assertThat(Files.readString(dir.resolve("asked")))
        .contains("--since=@" + boot.getEpochSecond());
    boot = now.minusSeconds(3_660);
    run("log-counter", counter);
    assertThat(Files.readString(dir.resolve("asked")))
        .doesNotContain("--since=@" + boot.getEpochSecond())
        .contains("--since=@");
    long since =
        Long.parseLong(
            Files.readString(dir.resolve("asked")).replaceAll("(?s).*--since=@([0-9]+).*", "$1"));
    assertThat(since).isBetween(now.getEpochSecond() - 1_201, now.getEpochSecond());
  }
}
