package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.pod;
import static io.probelet.runtime.process.LocalPodBuilders.sh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.process.Processes;
import java.io.BufferedReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Holds acceptance 5 of the standalone run: kill -9 leaves no child, and starting again works. */
@Timeout(300)
class AgentDeathTest {
  /** A local process has no share of anything. */
  private static final PodRef POD = new PodRef("default", "web", "uid");

  @TempDir private Path dir;
  private final List<Process> agents = new ArrayList<>();

  /** Also when a test fails half-way; the guards see to the children. */
  @AfterEach
  void killAgents() {
    agents.forEach(Process::destroyForcibly);
  }

  @Test
  @DisplayName("kill -STOP of the agent does nothing to its children, kill -9 leaves none behind")
  void leavesNoChild() throws Exception {
    Process agent = startAgent();
    Map<String, Long> pids = pids(agent);
    signal("STOP", agent.pid());
    await()
        .during(Duration.ofSeconds(1))
        .until(() -> pids.values().stream().allMatch(Processes::runs));
    signal("CONT", agent.pid());
    assertThat(pids.values()).allMatch(Processes::runs);

    kill(agent, pids);

    Process another = startAgent();
    kill(another, pids(another));
  }

  private void kill(Process agent, Map<String, Long> pids) throws Exception {
    assertThat(pids.keySet()).containsExactly("exec", "grandchild", "polite", "rude");
    assertThat(pids.values()).allMatch(Processes::runs);
    agent.destroyForcibly().waitFor();
    await().until(() -> pids.values().stream().noneMatch(Processes::runs));
    assertThat(dir.resolve("farewell")).hasContent("bye");
    Files.delete(dir.resolve("farewell"));
  }

  private static void signal(String name, long pid) throws Exception {
    assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid)).start().waitFor())
        .isZero();
  }

  private Process startAgent() throws Exception {
    Process agent =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty(
                    "surefire.test.class.path", System.getProperty("java.class.path")),
                Agent.class.getName(),
                dir.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    agents.add(agent);
    return agent;
  }

  /** Reads "name pid" lines up to the word ready. */
  private static Map<String, Long> pids(Process agent) throws Exception {
    Map<String, Long> pids = new TreeMap<>();
    BufferedReader output = agent.inputReader();
    for (String line = output.readLine(); !"ready".equals(line); line = output.readLine()) {
      assertThat(line).as("a line of the agent").isNotNull();
      String[] words = line.split(" ", 2);
      pids.put(words[0], Long.parseLong(words[1]));
    }
    return pids;
  }

  /** The program that is killed: runs two containers and a command beside one of them. */
  static final class Agent {
    private Agent() {}

    public static void main(String[] args) throws Exception {
      Path dir = Path.of(args[0]);
      for (String name : List.of("grandchild", "exec", "polite")) {
        Files.deleteIfExists(dir.resolve(name));
      }
      ProcessRuntime runtime =
          ProcessRuntime.open(
              new ProcessSettings(
                  dir.resolve("logs"), LogRotation.KUBELET, BackOff.KUBELET, System.getenv()),
              SystemClock.INSTANCE,
              HookRunner.on(
                  ProbeLoops.start(1, SystemClock.INSTANCE).all().getFirst(),
                  "kube-lifecycle/1.36",
                  HookLimits.NONE));
      RecordedPods seen = new RecordedPods();
      runtime.watch(seen);
      runtime.add(
          pod()
              .with(
                  sh("rude", "trap '' TERM; sleep 300 & echo $! > grandchild; wait; sleep 300")
                      .in(dir),
                  sh(
                          "polite",
                          "trap 'echo bye > farewell; exit' TERM; echo $$$$ > polite;"
                              + " while :; do sleep 0.1; done")
                      .in(dir))
              .build());
      String rude = seen.running("rude").id();
      Thread.ofPlatform()
          .daemon()
          .start(() -> {
            try {
              runtime.exec(
                  POD,
                  rude,
                  List.of("/bin/sh", "-c", "echo $$ > exec; exec sleep 300"),
                  Duration.ofMinutes(5),
                  100);
            } catch (Exception failed) {
              throw new AssertionError(failed);
            }
          });
      System.out.println("rude " + Processes.pid(rude));
      for (String name : List.of("grandchild", "exec", "polite")) {
        Path file = dir.resolve(name);
        String pid =
            await()
                .until(
                    () -> Files.exists(file) ? Files.readString(file) : "",
                    it -> it.endsWith("\n"));
        System.out.println(name + " " + pid.strip());
      }
      System.out.println("ready");
      Thread.currentThread().join();
    }
  }
}
