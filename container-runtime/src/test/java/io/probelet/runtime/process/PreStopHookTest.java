package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.pod;
import static io.probelet.runtime.process.LocalPodBuilders.sh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.TlsOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** D-7: hooks of real processes. */
@Timeout(240)
class PreStopHookTest {
  private static final Duration LONG = Duration.ofSeconds(60);

  /** Says on TERM what it finds of a hook, and ends. */
  private static final String HEEDS =
      "trap 'cat hook > seen 2>&1; exit 0' TERM; echo up > up; while :; do sleep 0.05; done";

  @TempDir private Path dir;
  private RuntimeFixture run;

  @BeforeEach
  void open() throws Exception {
    run = new RuntimeFixture(dir);
  }

  @AfterEach
  void close() {
    run.close();
  }

  private PodRef run(Duration grace, PreStopHook hook) {
    PodRef pod =
        run.run(
            pod().grace(grace).with(sh("web", HEEDS).in(dir).env("COLOUR", "blue").preStop(hook)));
    run.awaitFile("up");
    return pod;
  }

  private static PreStopHook command(String script) {
    return new PreStopHook.Exec(List.of("/bin/sh", "-c", script));
  }

  @Test
  @DisplayName("D-7 a stop runs the command in the container's environment and directory first")
  void stop() throws Exception {
    run(LONG, command("sleep 0.3; echo $COLOUR [$SECRET] > hook"));
    String id = run.seen.running("web").id();
    run.runtime.stop(id, LONG);
    assertThat(run.awaitFile("seen")).isEqualTo("blue []\n");
  }

  @Test
  @DisplayName("D-7 so does the end of a pod; a container that ends before it takes its hook along")
  void remove() throws Exception {
    PodRef pod = run(LONG, command("echo drained > hook"));
    run.runtime.remove(pod).get(1, TimeUnit.MINUTES);
    assertThat(run.awaitFile("seen")).isEqualTo("drained\n");
    Files.delete(dir.resolve("up"));

    PodRef other =
        run.run(
            pod()
                .named("other")
                .with(
                    sh("web", "echo up > up; while [ ! -e hook.pid ]; do sleep 0.05; done")
                        .in(dir)
                        .preStop(command("echo $$ > hook.pid; sleep 600"))));
    run.awaitFile("up");
    run.runtime.remove(other).get(1, TimeUnit.MINUTES);
    long pid = Long.parseLong(run.awaitFile("hook.pid").strip());
    await().until(() -> !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false));
  }

  @Test
  @DisplayName("D-7 a command that hangs is ended with the grace period, and TERM still comes")
  void hangs() throws Exception {
    PodRef pod = run(Duration.ofMillis(500), command("exec sleep 7722"));
    long began = System.nanoTime();
    run.runtime.remove(pod).get(1, TimeUnit.MINUTES);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofMillis(500));
    assertThat(dir.resolve("seen")).exists();
    await()
        .until(() ->
            ProcessHandle.allProcesses()
                .map(each -> each.info().arguments().map(List::of).orElse(List.of()))
                .noneMatch(arguments -> arguments.equals(List.of("7722"))));
  }

  @Test
  @DisplayName("D-7 a hook's request goes to the machine, where local pods are, as the kubelet's")
  void request() throws Exception {
    CompletableFuture<String> asked = new CompletableFuture<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          asked.complete(
              exchange.getRequestURI()
                  + " "
                  + exchange.getRequestHeaders().getFirst("User-Agent")
                  + " "
                  + exchange.getRequestHeaders().getFirst("X-Why"));
          exchange.sendResponseHeaders(500, -1);
        });
    server.start();
    try {
      HttpGet request =
          new HttpGet(
              new Port.Numeric(server.getAddress().getPort()),
              null,
              "/drain?all",
              Scheme.HTTP,
              List.of(new HttpHeader("X-Why", "end")),
              TlsOptions.INSECURE,
              HttpExpectation.KUBELET);
      PodRef pod = run(LONG, new PreStopHook.Request(request));
      run.runtime.remove(pod).get(1, TimeUnit.MINUTES);
      assertThat(asked.get(1, TimeUnit.MINUTES)).isEqualTo("/drain?all kube-lifecycle/1.36 end");
      assertThat(run.awaitFile("seen")).contains("No such file");
    } finally {
      server.stop(0);
    }
  }
}
