package io.probelet.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.kube.FakeApiServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.CookieManager;
import java.net.CookiePolicy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** The command from its start to Ctrl-C, and what it refuses. */
@Timeout(120)
class UiCommandTest {
  private static final String NODE =
      """
      {"apiVersion": "v1", "kind": "Node",
       "metadata": {"name": "%s", "creationTimestamp": "2026-01-01T00:00:00Z"},
       "status": {"conditions": [{"type": "Ready", "status": "True", "reason": "KubeletReady"}]}}
      """;

  @TempDir Path folder;
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    CommandLine line = Probelet.commandLine(arguments);
    line.setErr(new PrintWriter(err, true));
    return line.execute(arguments);
  }

  @Test
  @DisplayName("prints the address, shows the cluster and its changes, and exits with 0 on Ctrl-C")
  void whole() throws Exception {
    try (FakeApiServer cluster = new FakeApiServer()) {
      cluster.put(NODE.formatted("worker-1"));
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig());
      Process ui =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin/java").toString(),
                  "-XX:TieredStopAtLevel=1",
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  System.getProperty("java.class.path"),
                  Probelet.class.getName(),
                  "ui",
                  "--no-browser",
                  "--kubeconfig",
                  kubeconfig.toString())
              .redirectError(folder.resolve("err").toFile())
              .start();
      try (BufferedReader out = ui.inputReader(UTF_8);
          HttpClient browser =
              HttpClient.newBuilder()
                  .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ALL))
                  .build()) {
        String printed = out.readLine();
        assertThat(printed).as(Files.readString(folder.resolve("err"))).isNotNull();
        URI address = URI.create(printed);
        assertThat(get(browser, address)).contains("Open the cluster");
        URI nodes = address.resolve("nodes");
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> get(browser, nodes).contains(">worker-1<"));
        cluster.put(NODE.formatted("worker-2"));
        await()
            .atMost(Duration.ofSeconds(60))
            .until(() -> get(browser, nodes).contains(">worker-2<"));
        assertThat(get(browser, address.resolve("agent?name=worker-1"))).contains("No answer:");
        ui.destroy();
        assertThat(ui.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(ui.exitValue()).isZero();
        assertThat(Files.readString(folder.resolve("err")))
            .isEqualTo("Open this address in a browser; it works once. Ctrl-C ends.\n");
      } finally {
        ui.destroyForcibly();
      }
    }
  }

  @Test
  @DisplayName("the demo needs neither cluster nor kubeconfig")
  void demo() throws Exception {
    ProcessBuilder command =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Probelet.class.getName(),
                "ui",
                "--no-browser",
                "--demo")
            .redirectError(folder.resolve("err").toFile());
    command.environment().put("KUBECONFIG", folder.resolve("none").toString());
    command.environment().put("HOME", folder.toString());
    Process ui = command.start();
    try (BufferedReader out = ui.inputReader(UTF_8);
        HttpClient browser =
            HttpClient.newBuilder()
                .cookieHandler(new CookieManager(null, CookiePolicy.ACCEPT_ALL))
                .build()) {
      String printed = out.readLine();
      assertThat(printed).as(Files.readString(folder.resolve("err"))).isNotNull();
      URI address = URI.create(printed);
      assertThat(get(browser, address)).contains("Open the cluster");
      assertThat(get(browser, address.resolve("nodes")))
          .contains("Demo: this cluster is made up.", ">worker-b-3<");
      ui.destroy();
      assertThat(ui.waitFor(30, TimeUnit.SECONDS)).isTrue();
      assertThat(ui.exitValue()).isZero();
    } finally {
      ui.destroyForcibly();
    }
  }

  private static String get(HttpClient browser, URI address)
      throws IOException, InterruptedException {
    HttpResponse<String> answer =
        browser.send(
            HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString(UTF_8));
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  @ParameterizedTest
  @ValueSource(strings = {"-1", "65536", "x"})
  @DisplayName("refuses an invalid port")
  void port(String port) {
    assertThat(run("ui", "--port=" + port)).isEqualTo(2);
    assertThat(err.toString()).contains("--port");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ui --no-browser", "status --cluster", "record --output OUT"})
  @DisplayName("names the contexts of the kubeconfig if --context is unknown")
  void context(String command) throws IOException {
    try (FakeApiServer cluster = new FakeApiServer()) {
      Path kubeconfig = Files.writeString(folder.resolve("kubeconfig"), cluster.kubeconfig());
      String full =
          command.replace("OUT", folder.resolve("tape").toString())
              + " --context=nowhere --kubeconfig="
              + kubeconfig;
      assertThat(run(full.split(" ", -1))).isEqualTo(2);
      assertThat(err.toString())
          .contains("--context nowhere: the kubeconfig has no such context; its contexts are ");
    }
  }

  @Test
  @DisplayName("refuses a file that is not a tape before it reads the cluster")
  void noTape() throws IOException {
    Path other = Files.writeString(folder.resolve("other"), "{}\n");
    assertThat(run("ui", "--no-browser", "--tape", other.toString())).isEqualTo(2);
    assertThat(err.toString()).startsWith("probelet ui: " + other + ":1:").contains("tape");
  }

  @Test
  @DisplayName("refuses a missing kubeconfig")
  void kubeconfig() {
    Path missing = folder.resolve("none");
    assertThat(run("ui", "--no-browser", "--kubeconfig", missing.toString())).isEqualTo(2);
    assertThat(err.toString()).startsWith("probelet ui: ").contains(missing.toString());
  }
}
