package io.probelet.runtime.cri;

import static io.probelet.runtime.cri.CriFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.probelet.health.SystemClock;
import io.probelet.probe.ContainerRole;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.PreStopHook;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.engine.ProbeEvent;
import io.probelet.probe.engine.RestartDecision;
import io.probelet.probe.hook.HookLimits;
import io.probelet.probe.hook.HookRunner;
import io.probelet.probe.hook.PreStopStopper;
import io.probelet.probe.net.ProbeLoops;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ContainerObservation.State;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.ExecResult.Exited;
import io.probelet.probe.runtime.ExecResult.TimedOut;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.runtime.Termination;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The adapter against a real containerd with real containers. */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(NeedsContainerd.class)
class ContainerdTest {
  /** Says that it goes on from here, and does. */
  private static final String FOREVER = "touch /tmp/up; sleep 100000 & wait";

  private static final ExecResult UP = new Exited(0, "");

  private final ObservedPods pods = new ObservedPods();
  private PrivateContainerd containerd;
  private ProbeLoops loops;
  private CriRuntime runtime;
  private KubeletStandIn kubelet;
  private PodRef shared;
  private String sharedId;

  @BeforeAll
  void start() throws Exception {
    containerd = PrivateContainerd.start();
    loops = ProbeLoops.start(1, SystemClock.INSTANCE);
    runtime =
        connect(
            new CriOptions(
                "127.0.0.1", Duration.ofSeconds(1), LONG, LONG, LONG, 16, LONG, Path.of("/")));
    runtime.watch(pods);
    kubelet = new KubeletStandIn(containerd.socket(), loops.all().getFirst().eventLoop());
    shared = kubelet.pod("shared");
    sharedId = kubelet.container(shared, "app", "sleep", "100000");
  }

  @AfterAll
  void stop() {
    for (AutoCloseable each : new AutoCloseable[] {kubelet, runtime, containerd, loops}) {
      try {
        if (each != null) {
          each.close();
        }
      } catch (Exception failed) {
        throw new AssertionError(failed);
      }
    }
  }

  @Test
  @DisplayName("B-9 a real runtime says that it is ready, and why its network may not be")
  void health() throws Exception {
    CriHealth health =
        new CriHealth(
            containerd.socket(), loops.all().getFirst().eventLoop(), SystemClock.INSTANCE);
    CriHealth.Answer answer = health.ask(LONG);
    assertThat(answer.ready()).isEmpty();
    assertThat(answer.networkReady()).matches("|NetworkPluginNotReady: .*");
    assertThat(answer.listTook()).isPositive();
    health.close();
  }

  private ExecResult exec(String id, Duration timeout, String... command) throws Exception {
    return runtime.exec(CriFixture.WEB, id, List.of(command), timeout, 10 * 1024);
  }

  @Test
  @DisplayName("a pod and its container are found with addresses, start time and attempt, and go")
  void discovery() throws Exception {
    PodRef pod = kubelet.pod("found");
    await().until(() -> pods.get(pod) != null);
    assertThat(pods.get(pod).ips()).containsExactly("127.0.0.1");
    assertThat(pods.get(pod).phase()).isEqualTo(Phase.PENDING);

    Instant before = Instant.now();
    String id = kubelet.container(pod, "app", "sleep", "1000");
    ContainerObservation running = pods.until(pod, "app", ContainerObservation::running);
    assertThat(running.id()).isEqualTo(id);
    assertThat(running.restartCount()).isZero();
    assertThat(running.startedAt()).isBetween(before, Instant.now());
    assertThat(pods.get(pod).phase()).isEqualTo(Phase.RUNNING);

    kubelet.remove(pod);
    await().until(() -> pods.get(pod) == null);
  }

  @Test
  @DisplayName("D-13 a real runtime names the group in which the kernel counts throttling")
  void throttled() throws Exception {
    PodRef pod = kubelet.pod("slow");
    kubelet.limitCpu("slow", 20);
    String slow = kubelet.container(pod, "slow", "sh", "-c", "while :; do :; done");
    await()
        .untilAsserted(() ->
            assertThat(runtime.evidence(slow).quota())
                .isNotNull()
                .satisfies(quota -> {
                  assertThat(quota.limitMillis()).isEqualTo(20);
                  assertThat(quota.periods()).isGreaterThan(5);
                  assertThat(quota.throttledPeriods()).isGreaterThan(5);
                }));
    assertThat(runtime.evidence(sharedId).quota()).as("without a limit").isNull();
    kubelet.remove(pod);
  }

  @Test
  @DisplayName("a real runtime names the group whose processes, time and memory are counted")
  void evidence() throws Exception {
    PodRef pod = kubelet.pod("seen");
    String script = "nc -ll -p 7713 -e true & exec sleep 7712";
    String id = kubelet.container(pod, "seen", "sh", "-c", script);
    await()
        .untilAsserted(() -> {
          ContainerEvidence seen = runtime.evidence(id);
          assertThat(seen.threads()).isEqualTo(new ThreadStates(0, 2, 0, 0, 0));
          assertThat(seen.listening()).as("in the node's network").containsExactly(7713);
          assertThat(seen.cpuMillis()).isNotNull();
          assertThat(seen.memory())
              .isNotNull()
              .satisfies(memory -> {
                assertThat(memory.limit()).isZero();
                assertThat(memory.usage()).isPositive();
                assertThat(memory.oomKills()).isZero();
              });
        });
    kubelet.remove(pod);
    await().until(() -> runtime.evidence(id).threads() == null);
  }

  static Stream<Arguments> commands() {
    return Stream.of(
        arguments("success", "echo hello", 0, "hello\n"),
        arguments("failure", "echo out; echo err >&2; exit 1", 1, "out\nerr\n"),
        arguments("no program", "/etc", 126, "sh: /etc: Permission denied\n"),
        arguments("no such program", "nope", 127, "sh: nope: not found\n"),
        arguments("ended by a signal", "kill -9 $$", 137, ""),
        arguments(
            "1 MiB of output", "head -c 1048576 /dev/zero | tr '\\0' a", 0, "a".repeat(10_240)),
        arguments("binary output", "echo -en '\\xff\\x00a'", 0, "\ufffd\0a"));
  }

  @ParameterizedTest(name = "{0}")
  @DisplayName("H-9: how commands end")
  @MethodSource("commands")
  void commands(String name, String script, int exitCode, String output) throws Exception {
    assertThat(exec(sharedId, LONG, "sh", "-c", script)).isEqualTo(new Exited(exitCode, output));
  }

  @ParameterizedTest
  @DisplayName("H-9: a command is over at its timeout, and soon killed")
  @ValueSource(ints = {300, 1000})
  void timeout(int millis) throws Exception {
    String marker = "77" + millis;
    long began = System.nanoTime();
    assertThat(exec(sharedId, Duration.ofMillis(millis), "sleep", marker))
        .isEqualTo(new TimedOut());
    Duration took = Duration.ofNanos(System.nanoTime() - began);

    assertThat(took).isBetween(Duration.ofMillis(millis), LONG);
    await().until(() -> !isRunning("sleep\0" + marker) && runtime.stats().execs().running() == 0);
  }

  @Test
  @DisplayName("W-22: a command that loses its slot to another pod's is killed")
  void displaced() throws Exception {
    CriOptions one =
        new CriOptions(
            "127.0.0.1",
            Duration.ofSeconds(1),
            LONG,
            LONG,
            LONG,
            1,
            Duration.ofMillis(500),
            Path.of("/"));
    try (CriRuntime shared = connect(one)) {
      await().until(shared::connected);
      CompletableFuture<ExecResult> hangs = new CompletableFuture<>();
      Thread.startVirtualThread(() -> {
        try {
          hangs.complete(
              shared.exec(
                  new PodRef("hostile", "web", "1"),
                  sharedId,
                  List.of("sleep", "7722"),
                  Duration.ofHours(1),
                  100));
        } catch (Exception failed) {
          hangs.completeExceptionally(failed);
        }
      });
      await().until(() -> isRunning("sleep\0" + "7722"));
      assertThat(shared.exec(new PodRef("shop", "web", "2"), sharedId, List.of("true"), LONG, 100))
          .isEqualTo(new Exited(0, ""));
      assertThat(hangs.get(1, TimeUnit.MINUTES)).isInstanceOf(ExecResult.Displaced.class);
      await().until(() -> !isRunning("sleep\0" + "7722"));
    }
  }

  @Test
  @DisplayName(
      "H-9: a command that the runtime is late to start has its whole timeout all the same")
  void startedLate() throws Exception {
    CompletableFuture<ExecResult> end = new CompletableFuture<>();
    containerd.signal("STOP");
    try {
      Thread.startVirtualThread(() -> {
        try {
          end.complete(exec(sharedId, Duration.ofSeconds(1), "true"));
        } catch (Exception failed) {
          end.completeExceptionally(failed);
        }
      });
      assertThatThrownBy(() -> end.get(1300, TimeUnit.MILLISECONDS))
          .isInstanceOf(TimeoutException.class);
    } finally {
      containerd.signal("CONT");
    }
    assertThat(end.get(1, TimeUnit.MINUTES)).isEqualTo(new Exited(0, ""));
  }

  private static boolean isRunning(String commandLine) throws IOException {
    try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
      return processes.anyMatch(each -> {
        try {
          return Files.readString(each.resolve("cmdline")).startsWith(commandLine);
        } catch (IOException noProcess) {
          return false;
        }
      });
    }
  }

  @ParameterizedTest
  @DisplayName("H-9: a program that the kernel refuses to execute exits, as a local one does")
  @CsvSource({
    "'exit 0\n', exec format error",
    "'#!/no/such/interpreter\n', no such file or directory",
  })
  void unexecutable(String content, String error) throws Exception {
    String name = "/tmp/" + Integer.toHexString(content.hashCode());
    String make = "printf '%s' >%s && /bin/busybox chmod 755 %s".formatted(content, name, name);
    assertThat(exec(sharedId, LONG, "sh", "-c", make)).isEqualTo(new Exited(0, ""));
    Exited end = (Exited) exec(sharedId, LONG, name);
    assertThat(end.exitCode()).isNotZero();
    assertThat(end.output()).isEqualTo("exec " + name + ": " + error + "\n");
  }

  @Test
  @DisplayName("H-9: what cannot be run is told as the runtime's failure")
  void cannotRun() throws Exception {
    assertThatThrownBy(() -> exec(sharedId, LONG, "/bin/nope"))
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessageContaining("no such file or directory");
    assertThat(exec(sharedId, LONG, "sh", "-c", "echo x >/tmp/data")).isEqualTo(new Exited(0, ""));
    assertThatThrownBy(() -> exec(sharedId, LONG, "/tmp/data"))
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessageContaining("permission denied");
    assertThatThrownBy(() -> exec(sharedId, LONG, "/tmp"))
        .isInstanceOf(ContainerRuntimeException.class);
    assertThatThrownBy(() -> exec("0123456789abcdef", LONG, "true"))
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessageContaining("code = NotFound");
  }

  @Test
  @DisplayName(
      "D-1: a container that heeds TERM ends by itself, one that does not is killed after the grace")
  void grace() throws Exception {
    PodRef pod = kubelet.pod("graceful");
    String heeds = kubelet.container(pod, "heeds", "sh", "-c", "trap 'exit 3' TERM; " + FOREVER);
    String ignores = kubelet.container(pod, "ignores", "sh", "-c", "trap '' TERM; " + FOREVER);
    for (String each : List.of(heeds, ignores)) { // before its trap, TERM would just end it
      await().until(() -> exec(each, LONG, "cat", "/tmp/up").equals(UP));
    }

    long began = System.nanoTime();
    runtime.stop(heeds, LONG);
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(LONG.dividedBy(2));
    assertThat(pods.until(pod, "heeds", each -> each.state() == State.TERMINATED).exitCode())
        .isEqualTo(3);

    began = System.nanoTime();
    runtime.stop(ignores, Duration.ofSeconds(1));
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isBetween(Duration.ofSeconds(1), LONG);
    ContainerObservation killed =
        pods.until(pod, "ignores", each -> each.state() == State.TERMINATED);
    assertThat(killed.exitCode()).isEqualTo(137);
    Termination last = killed.details().lastTermination();
    assertThat(last.signalName()).contains("SIGKILL");
    assertThat(last.finishedAt()).isAfter(killed.startedAt());

    runtime.stop(ignores, Duration.ZERO);
    runtime.stop("0123456789abcdef", Duration.ZERO);
    kubelet.remove(pod);
  }

  @Test
  @DisplayName(
      "D-7: a preStop hook runs inside its container, before TERM; one that hangs is ended")
  void preStop() throws Exception {
    PodRef pod = kubelet.pod("hooked");
    // Ends well only if the hook has been there when TERM comes.
    String script = "trap 'cat /tmp/drained; exit $?' TERM; " + FOREVER;
    String id = kubelet.container(pod, "drains", "sh", "-c", script);
    String stuck = kubelet.container(pod, "stuck", "sh", "-c", script);
    for (String each : List.of(id, stuck)) {
      await().until(() -> exec(each, LONG, "cat", "/tmp/up").equals(UP));
    }
    List<String> failures = new CopyOnWriteArrayList<>();
    PreStopStopper stopper =
        new PreStopStopper(
            runtime,
            HookRunner.on(loops.all().getFirst(), "kube-lifecycle/1.36", HookLimits.NONE),
            SystemClock.INSTANCE,
            (decision, why) -> failures.add(decision.subject().container() + ": " + why));

    stopper.stop(decision(pod, "drains", id, LONG, "sleep 1; touch /tmp/drained"));
    assertThat(pods.until(pod, "drains", each -> each.state() == State.TERMINATED).exitCode())
        .isZero();
    assertThat(failures).isEmpty();

    stopper.stop(decision(pod, "stuck", stuck, Duration.ofSeconds(1), "exec sleep 7711"));
    assertThat(pods.until(pod, "stuck", each -> each.state() == State.TERMINATED).exitCode())
        .isEqualTo(1);
    assertThat(failures).containsExactly("stuck: still running at the end of the grace period");
    assertThat(isRunning("sleep\0" + "7711")).isFalse();
    kubelet.remove(pod);
  }

  private static RestartDecision decision(
      PodRef pod, String container, String id, Duration grace, String hook) {
    ContainerSpec spec =
        new ContainerSpec(
            container,
            ContainerRole.REGULAR,
            null,
            List.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            new PreStopHook.Exec(List.of("sh", "-c", hook)));
    return new RestartDecision(
        new ProbeSubject(pod, container, ProbeKind.LIVENESS),
        new ProbeTarget(pod, spec, id, "127.0.0.1"),
        grace,
        new ProbeEvent("Normal", "Killing", "Container failed liveness probe"),
        "no");
  }

  @Test
  @DisplayName("containerd killed and back, under load: nothing is made up, and it goes on")
  void killed() throws Exception {
    ConcurrentLinkedQueue<ExecResult> results = new ConcurrentLinkedQueue<>();
    AtomicInteger errors = new AtomicInteger();
    CountDownLatch enough = new CountDownLatch(1);
    ContainerObservation before = pods.until(shared, "app", ContainerObservation::running);
    try (ExecutorService load = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 4; i++) {
        load.submit(() -> {
          while (enough.getCount() > 0) {
            try {
              results.add(exec(sharedId, LONG, "true"));
            } catch (ContainerRuntimeException away) {
              errors.incrementAndGet();
              enough.await(50, TimeUnit.MILLISECONDS);
            }
          }
          return null;
        });
      }
      await().until(() -> !results.isEmpty());
      containerd.kill();
      await().until(() -> !runtime.connected() && errors.get() > 20);
      assertThat(pods.container(shared, "app")).isEqualTo(before);

      containerd.boot();
      await().until(runtime::connected);
      int soFar = results.size();
      await().until(() -> results.size() > soFar + 4);
      enough.countDown();
    }
    assertThat(results).containsOnly(new Exited(0, ""));
    assertThat(pods.container(shared, "app")).isEqualTo(before);
  }

  @Test
  @DisplayName("containerd standing still: a late command says nothing of its container")
  void frozen() throws Exception {
    CriOptions quick =
        new CriOptions(
            "127.0.0.1",
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            16,
            Duration.ofSeconds(1),
            Path.of("/"));
    try (CriRuntime impatient = connect(quick)) {
      await().until(impatient::connected);
      containerd.signal("STOP");
      try {
        assertThatThrownBy(() ->
                impatient.exec(
                    CriFixture.WEB, sharedId, List.of("true"), Duration.ofSeconds(1), 100))
            .isInstanceOf(ContainerRuntimeException.class);
      } finally {
        containerd.signal("CONT");
      }
      // Away for long, it is connected to anew.
      await()
          .ignoreExceptions()
          .until(() -> exec(sharedId, LONG, "true").equals(new Exited(0, "")));
      await().until(() -> runtime.connected() && impatient.stats().execs().running() == 0);
    }
  }

  private CriRuntime connect(CriOptions options) {
    return CriRuntime.connect(
        containerd.socket(), loops.all().getFirst().eventLoop(), SystemClock.INSTANCE, options);
  }
}
