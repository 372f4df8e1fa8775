package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.container;
import static io.probelet.runtime.process.LocalPodBuilders.pod;
import static io.probelet.runtime.process.LocalPodBuilders.sh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.probelet.probe.ContainerSpec.RestartRule;
import io.probelet.probe.PodRef;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.ContainerDetails;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.runtime.RuntimeListener;
import io.probelet.probe.runtime.Termination;
import io.probelet.process.Processes;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Timeout(240)
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class ProcessRuntimeTest {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(300);

  /** Ignores TERM, and so do its children. */
  private static final String STUBBORN =
      "trap '' TERM; sleep 600 & echo $! > child; while :; do sleep 600; done";

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

  @Test
  void reportsTheSignalAndTheLogOfAnInstanceThatEnded() throws Exception {
    PodRef pod =
        run.run(
            pod().policy(RestartPolicy.NEVER).with(sh("web", "echo no database; kill -SEGV $$$$")));
    ContainerDetails details = run.seen.ended("web").details();
    assertThat(details.lastTermination()).extracting(Termination::exitCode).isEqualTo(139);
    assertThat(details.lastTermination().signalName()).contains("SIGSEGV");
    assertThat(Path.of(details.logPath())).isAbsolute().hasContent("no database");
    assertThat(run.log(pod, "web")).isEqualTo("no database\n");
  }

  @Test
  @DisplayName("a container gets its words and directory, and nothing to read")
  void whatAContainerGets() {
    PodRef pod =
        run.run(
            pod()
                .policy(RestartPolicy.NEVER)
                .with(
                    sh("web", "pwd; echo \"$0 $1 $GREETING\"; cat")
                        .args("zero", "two words")
                        .env("GREETING", "hello $(UNKNOWN)")
                        .in(dir)));
    assertThat(run.seen.ended("web").exitCode()).isZero();
    assertThat(run.log(pod, "web").lines())
        .containsExactly(dir.toString(), "zero two words hello $(UNKNOWN)");
  }

  @Test
  @DisplayName("D-23 a rule and a probe restart all processes of a pod")
  void restartAll() throws Exception {
    RestartRule rule = new RestartRule(true, Set.of(42), true);
    run.run(
        pod()
            .with(
                sh("web", "test -e again && exec sleep 600; touch again; exit 42")
                    .in(dir)
                    .policy(RestartPolicy.NEVER, rule),
                container("other", "sleep", "600")));
    String web = run.seen.container("web", it -> it.running() && it.restartCount() == 1).id();
    String other = run.seen.container("other", it -> it.running() && it.restartCount() == 1).id();

    run.runtime.restartPod(other, LONG);
    assertThat(run.seen.container("other", it -> it.running() && it.restartCount() == 2))
        .isNotNull();
    assertThat(run.seen.container("web", it -> it.running() && it.restartCount() == 2).id())
        .isNotEqualTo(web);
  }

  @Test
  @DisplayName("a pod whose manifest is back while it ends runs again once it is gone")
  void addedAgain() {
    LocalPod pod = pod().with(container("web", "sleep", "600")).build();
    run.runtime.watch(
        new RuntimeListener() {
          @Override
          public void observed(PodObservation observation) {
            // only its end matters
          }

          @Override
          public void gone(PodRef gone) {
            if (run.seen.gone().size() == 1) {
              run.runtime.add(pod);
            }
          }
        });
    run.runtime.add(pod);
    String first = run.seen.running("web").id();
    run.runtime.remove(pod.ref());
    assertThat(run.seen.container("web", it -> it.running() && !it.id().equals(first))).isNotNull();
  }

  @Test
  @DisplayName("variables reach the program whatever their names, and the agent's secrets do not")
  void environment() {
    PodRef pod =
        run.run(
            pod()
                .policy(RestartPolicy.NEVER)
                .with(
                    container("web", "env")
                        .env("PLAIN", "1")
                        .env("spring.main.banner-mode", "it's \"off\" $HOME\nnow")
                        .env("-odd' name", "2")));
    assertThat(run.seen.ended("web").exitCode()).isZero();
    assertThat(run.log(pod, "web").lines().filter(line -> !line.startsWith("PWD=")))
        .containsExactlyInAnyOrder(
            "PATH=" + System.getenv("PATH"),
            "HOSTNAME=web",
            "PLAIN=1",
            "spring.main.banner-mode=it's \"off\" $HOME",
            "now",
            "-odd' name=2");
  }

  @Test
  @DisplayName("standard output and error go to the log, in order, run after run")
  void logs() {
    PodRef pod = run.run(pod().with(sh("web", "echo out; echo err >&2; exit 3")));
    run.seen.running("web", 2);
    assertThat(run.logFile(pod, "web")).hasFileName("default_web_web.log");
    await().until(() -> run.log(pod, "web").startsWith("out\nerr\nout\nerr\n"));
  }

  @Test
  @DisplayName("names of pods and containers are longer than those of files may be")
  void logsOfLongNames() {
    String name = "w".repeat(63);
    PodRef pod = run.run(pod().named("p".repeat(253)).with(sh(name, "echo out; exec sleep 600")));
    run.seen.running(name);
    await().until(() -> run.log(pod, name).equals("out\n"));
    Path log = run.logFile(pod, name);
    assertThat(log.getFileName().toString())
        .hasSizeLessThanOrEqualTo(255 - ".start.new".length())
        .startsWith("default_ppp")
        .endsWith(".log");
    assertThat(log.resolveSibling(log.getFileName() + ".start")).exists();
    assertThat(run.logFile(pod, name + "x")).isNotEqualTo(log);
  }

  @Test
  @DisplayName("a container is a session and a group of its own, and its id tells its process")
  void ownGroup() {
    run.run(pod().with(sh("web", "cut -d' ' -f1,5,6 /proc/$$$$/stat > stat; sleep 600").in(dir)));
    ContainerObservation web = run.seen.running("web");
    long pid = Processes.pid(web.id());
    assertThat(web.id()).isEqualTo("process://0a1b2c3d/web/0-" + pid);
    assertThat(run.awaitFile("stat")).isEqualTo("%1$d %1$d %1$d%n".formatted(pid));
  }

  @Test
  @DisplayName("D-3 W-3.6 exit codes are kept and each run has an id of its own")
  void restarts() {
    run.run(pod().with(sh("web", "kill -9 $$$$")));
    Set<String> ids = new HashSet<>();
    for (int restart = 0; restart < 4; restart++) {
      int count = restart;
      ContainerObservation end =
          run.seen.container("web", it -> it.exitCode() == 137 && it.restartCount() == count);
      assertThat(end.reason()).isEqualTo("Error");
      assertThat(end.startedAt()).isNotNull();
      ids.add(end.id());
    }
    assertThat(ids).hasSize(4);
    run.seen.container("web", it -> it.reason().equals("CrashLoopBackOff"));
  }

  @Test
  @DisplayName("a command that does not exist ends the container with 127 and says so in its log")
  void noSuchCommand() {
    PodRef pod = run.run(pod().with(container("web", "no-such-program")));
    ContainerObservation end = run.seen.ended("web");
    assertThat(end.exitCode()).isEqualTo(127);
    assertThat(end.reason()).isEqualTo("ContainerCannotRun");
    assertThat(run.log(pod, "web")).startsWith("probelet: cannot start: command no-such-program");
    run.seen.container("web", it -> it.reason().equals("CrashLoopBackOff"));
  }

  @Test
  @DisplayName("a script without #! ends the container, as in a runtime, and says so in its log")
  void noFormat() throws Exception {
    Path script = Files.writeString(dir.resolve("script"), "exit 0\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    PodRef pod = run.run(pod().with(container("web", script.toString())));
    assertThat(run.seen.ended("web").exitCode()).isEqualTo(255);
    assertThat(run.seen.ended("web").reason()).isEqualTo("Error");
    assertThat(run.log(pod, "web"))
        .startsWith("probelet: cannot start: exec " + script + ": exec format error");
  }

  @Test
  @DisplayName("a script without its interpreter ends as in a shell")
  void noInterpreter() throws Exception {
    Path script = Files.writeString(dir.resolve("script"), "#!/no/such/interpreter\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();
    PodRef pod = run.run(pod().with(container("web", script.toString())));
    assertThat(run.seen.ended("web").exitCode()).isIn(126, 127);
    assertThat(run.log(pod, "web")).contains("script");
  }

  @Test
  @DisplayName("D-1 a container that heeds TERM has its say, and is started again")
  void stopsGracefully() throws Exception {
    PodRef pod =
        run.run(
            pod()
                .with(
                    sh(
                            "web",
                            "trap 'echo bye; exit 7' TERM; echo up > up; while :; do sleep 0.1; done")
                        .in(dir)));
    String id = run.seen.running("web").id();
    run.awaitFile("up");
    run.runtime.stop(id, LONG);
    assertThat(Processes.runs(Processes.pid(id))).isFalse();
    assertThat(run.seen.ended("web").exitCode()).isEqualTo(7);
    assertThat(run.log(pod, "web")).endsWith("bye\n");
    run.seen.running("web", 1);
    run.runtime.stop(id, LONG);
    assertThat(run.seen.last().containers().get("web").running()).isTrue();
  }

  @Test
  @DisplayName("D-1 a container that ignores TERM is killed when the grace is over, and all of it")
  void killsAfterGrace() throws Exception {
    run.run(pod().policy(RestartPolicy.NEVER).with(sh("web", STUBBORN).in(dir)));
    String id = run.seen.running("web").id();
    long child = Long.parseLong(run.awaitFile("child").strip());
    long begin = System.nanoTime();
    run.runtime.stop(id, Duration.ofSeconds(1));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isBetween(Duration.ofSeconds(1), LONG);
    assertThat(run.seen.ended("web").exitCode()).isEqualTo(137);
    awaitEndOf(Processes.pid(id));
    assertThat(Processes.runs(child)).isFalse();
    assertThat(run.seen.last().phase()).isEqualTo(Phase.FAILED);
  }

  @Test
  @DisplayName("D-1 TERM right after the start is not lost")
  void stopsAtOnce() throws Exception {
    run.run(pod().policy(RestartPolicy.NEVER).with(container("web", "sleep", "600")));
    run.runtime.stop(run.seen.running("web").id(), LONG);
    assertThat(run.seen.ended("web").exitCode()).isEqualTo(143);
  }

  @Test
  @DisplayName("what a container leaves behind in its group when its first process ends is killed")
  void leftovers() {
    run.run(
        pod()
            .policy(RestartPolicy.NEVER)
            .with(
                sh("web", "trap '' TERM; sleep 600 & sleep 600 & echo $$$$ > group; exit 0")
                    .in(dir)));
    assertThat(run.seen.ended("web").exitCode()).isZero();
    awaitEndOf(Long.parseLong(run.awaitFile("group").strip()));
  }

  @Test
  @DisplayName("D-5 init containers in order, then a sidecar that has to start up, then the rest")
  void initOrder() {
    run.run(
        pod()
            .policy(RestartPolicy.NEVER)
            .init(
                sh("init", "echo init >> order").in(dir),
                sh("side", "echo side >> order; sleep 600").in(dir).sidecar().startupProbe())
            .with(sh("web", "echo web >> order").in(dir)));
    ContainerObservation side = run.seen.running("side");
    assertThat(run.seen.last().phase()).isEqualTo(Phase.PENDING);
    assertThat(run.seen.last().containers().get("web").reason()).isEqualTo("PodInitializing");
    // It runs, but may not have got to its first command.
    await().untilAsserted(() -> assertThat(dir.resolve("order")).hasContent("init\nside\n"));
    run.runtime.started(side.id());
    run.seen.pod(it -> it.phase() == Phase.SUCCEEDED);
    assertThat(run.awaitFile("order")).isEqualTo("init\nside\nweb\n");
    assertThat(Processes.runs(Processes.pid(side.id()))).isFalse();
  }

  @Test
  @DisplayName("a pod that is removed ends within its grace period and is then gone")
  void removes() throws Exception {
    PodRef pod = run.run(pod().grace(SHORT).with(sh("web", STUBBORN).in(dir)));
    String id = run.seen.running("web").id();
    run.awaitFile("child");
    run.runtime.remove(pod).get(1, TimeUnit.MINUTES);
    assertThat(run.seen.gone()).containsExactly(pod);
    assertThat(run.seen.last().deleting()).isTrue();
    awaitEndOf(Processes.pid(id));
    assertThat(run.runtime.remove(pod)).isCompleted();
  }

  @Test
  @DisplayName("C-31 a pod added twice runs once")
  void addedTwice() {
    LocalPod pod = pod().with(sh("web", "echo run >> runs; sleep 600").in(dir)).build();
    run.runtime.add(pod);
    run.runtime.add(pod);
    run.seen.running("web");
    assertThat(run.awaitFile("runs")).isEqualTo("run\n");
  }

  @Test
  @DisplayName("who watches later first hears how everything is")
  void watchesLate() {
    run.run(pod().with(container("web", "sleep", "600")));
    run.seen.running("web");
    RecordedPods late = new RecordedPods();
    run.runtime.watch(late);
    assertThat(late.last().containers().get("web").running()).isTrue();
    assertThat(late.last().ips()).containsExactly("127.0.0.1");
  }

  @Test
  @DisplayName("a listener that fails keeps the news from nobody else")
  void failingListener() {
    run.runtime.watch(
        new RuntimeListener() {
          @Override
          public void observed(PodObservation observation) {
            throw new IllegalStateException("expected by the test");
          }

          @Override
          public void gone(PodRef pod) {
            throw new IllegalStateException("expected by the test");
          }
        });
    RecordedPods second = new RecordedPods();
    run.runtime.watch(second);
    PodRef pod = run.run(pod().with(container("web", "sleep", "600")));
    second.running("web");
    run.runtime.remove(pod).join();
    assertThat(second.gone()).containsExactly(pod);
  }

  @Test
  @DisplayName("closing ends all pods side by side and leaves neither process nor zombie")
  void closes() {
    // Each ends only once all have been told to: one after the other they would be killed.
    String all =
        "trap 'echo > %s; while ! [ -e a -a -e b -a -e c ]; do sleep 0.1; done; echo bye; exit 0' TERM;"
            + " echo up; while :; do sleep 0.1; done";
    List<PodRef> pods =
        List.of(
            run.run(pod().named("one").with(sh("a", all.formatted("a")).in(dir))),
            run.run(pod().named("two").with(sh("b", all.formatted("b")).in(dir))),
            run.run(
                pod().named("three").with(sh("c", all.formatted("c")).in(dir), sh("d", "exit 1"))));
    for (String name : List.of("a", "b", "c")) {
      run.seen.running(name);
    }
    await().until(() -> run.log(pods.get(0), "a").contains("up"));
    await().until(() -> run.log(pods.get(1), "b").contains("up"));
    await().until(() -> run.log(pods.get(2), "c").contains("up"));
    run.close();
    assertThat(run.seen.gone()).containsExactlyInAnyOrderElementsOf(pods);
    assertThat(run.log(pods.get(0), "a")).startsWith("up\n").endsWith("bye\n");
    assertThat(run.log(pods.get(1), "b")).startsWith("up\n").endsWith("bye\n");
    assertThat(run.log(pods.get(2), "c")).startsWith("up\n").endsWith("bye\n");
    long self = ProcessHandle.current().pid();
    await().until(() -> Processes.all().noneMatch(pid -> Processes.parent(pid) == self));
    assertThatThrownBy(() -> run.run(pod().with(container("web"))))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("closed");
  }

  @Test
  @DisplayName("who is in a hurry while closing has everything killed")
  void closesInAHurry() {
    run.run(pod().grace(LONG).with(sh("web", STUBBORN).in(dir)));
    String id = run.seen.running("web").id();
    run.awaitFile("child");
    Thread.currentThread().interrupt();
    run.close();
    assertThat(Thread.interrupted()).isTrue();
    awaitEndOf(Processes.pid(id));
  }

  @Test
  @DisplayName("the log of a running container is rotated")
  void rotates() throws Exception {
    run.close();
    run = new RuntimeFixture(dir, new LogRotation(100_000, 2));
    // Not enough for two rotations, however slowly it comes.
    PodRef pod = run.run(pod().with(sh("web", "seq 1 30000; echo end; exec sleep 600")));
    run.seen.running("web");
    Path log = run.logFile(pod, "web");
    Path older = log.resolveSibling(log.getFileName() + ".1");
    await()
        .ignoreExceptions()
        .untilAsserted(() ->
            assertThat(Files.readString(older) + Files.readString(log))
                .startsWith("1\n2\n")
                .endsWith("end\n"));
    assertThat(Files.size(log)).isLessThan(100_000);
  }

  /** Attack: a container that writes faster than any disk can keep. */
  @Test
  @Timeout(120)
  void boundsLogOfFastWriter() throws Exception {
    run.close();
    LogRotation rotation = new LogRotation(1 << 20, 5);
    run = new RuntimeFixture(dir, rotation);
    PodRef pod =
        run.run(
            pod()
                .policy(RestartPolicy.NEVER)
                .with(sh("web", "yes | head -c 300000000; echo; echo last words; exit 3")));
    AtomicLong largest = new AtomicLong();
    CompletableFuture<Integer> ended =
        CompletableFuture.supplyAsync(
            () -> run.seen.ended("web").details().lastTermination().exitCode());
    await()
        .until(() -> {
          largest.accumulateAndGet(bytes(dir.resolve("logs")), Math::max);
          return ended.isDone();
        });
    assertThat(ended.join()).isEqualTo(3);
    assertThat(run.runtime.droppedOutput()).isPositive();
    assertThat(Math.max(largest.get(), bytes(dir.resolve("logs")))).isLessThan(6L << 20);
    assertThat(run.log(pod, "web"))
        .containsPattern("(?m)^probelet: [0-9]+ bytes of output dropped$")
        .endsWith("y\n\nlast words\n");
  }

  private static long bytes(Path folder) {
    File[] files = folder.toFile().listFiles();
    return files == null ? 0 : Stream.of(files).mapToLong(File::length).sum();
  }

  /** Killed processes end as soon as the machine lets them. */
  private static void awaitEndOf(long group) {
    await().until(() -> Processes.group(group).isEmpty());
  }
}
