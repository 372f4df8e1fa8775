package io.probelet.runtime.cri;

import static io.probelet.runtime.cri.CriFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.CpuQuota;
import io.probelet.runtime.cri.FakeCri.Answer;
import io.probelet.runtime.cri.FakeCri.Call;
import io.probelet.runtime.cri.v1.ContainerStatusRequest;
import io.probelet.runtime.cri.v1.ContainerStatusResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * D-13: what a pod's author puts into a container's specification costs the agent little memory.
 */
class CriEvidenceTest {
  @TempDir private Path directory;

  private final Queue<Call> asked = new ConcurrentLinkedQueue<>();
  private CriFixture node;

  @BeforeEach
  void start() throws Exception {
    Path group = Files.createDirectories(directory.resolve("sys/fs/cgroup/pods/c1"));
    Files.writeString(group.resolve("cpu.max"), "2000 100000\n");
    Files.writeString(group.resolve("cpu.stat"), "nr_periods 10\nnr_throttled 9\n");
    node = new CriFixture(directory);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  /** Connects to a runtime whose verbose answers are given by hand. */
  private void connect(Consumer<Call> verbose) {
    Answer usual = node.cri.answer("ContainerStatus");
    node.cri.on(
        "ContainerStatus",
        call -> {
          if (ContainerStatusRequest.parseFrom(call.request()).getVerbose()) {
            asked.add(call);
            verbose.accept(call);
          } else {
            usual.to(call);
          }
        });
    node.connect(
        SystemClock.INSTANCE,
        new CriOptions("127.0.0.1", LONG, LONG, LONG, LONG, 8, LONG, directory));
    node.awaitContainer();
  }

  private static void reply(Call call, int environment) {
    call.reply(
        ContainerStatusResponse.newBuilder()
            .putInfo(
                "info",
                "{\"pid\":4711,\"config\":\"%s\",\"runtimeSpec\":{\"linux\":{\"cgroupsPath\":\"/pods/c1\"}}}"
                    .formatted("x".repeat(environment)))
            .build());
  }

  @Test
  @DisplayName("the runtime is asked once about a container")
  void remembered() throws Exception {
    connect(call -> reply(call, 1000));
    for (int reading = 0; reading < 5; reading++) {
      assertThat(node.runtime.evidence("c1").quota()).isEqualTo(new CpuQuota(20, 10, 9));
    }
    assertThat(asked).hasSize(1);
  }

  @Test
  @DisplayName("a container in another process namespace is seen only in the node's /proc")
  void otherNamespace() throws Exception {
    Path group = directory.resolve("sys/fs/cgroup/pods/c1");
    connect(call -> reply(call, 1000));
    Files.writeString(group.resolve("cgroup.procs"), ProcessHandle.current().pid() + "\n");
    assertThat(node.runtime.evidence("c1").threads()).isNotNull();
    Files.writeString(group.resolve("cgroup.procs"), ProcessHandle.current().pid() + "\n0\n");
    assertThat(node.runtime.evidence("c1").threads()).isNull();
    assertThat(node.runtime.evidence("c1").listening()).isNull();

    Path process = Files.createDirectories(directory.resolve("proc/4711/task/4711"));
    Files.writeString(process.resolve("children"), "");
    Files.writeString(process.resolve("stat"), "4711 (x) D 1 1 1 0 -1 4 1 0 0 0 1 0 0 0 20\n");
    Files.writeString(directory.resolve("proc/4711/cgroup"), "0::/../../pods/other\n");
    assertThat(node.runtime.evidence("c1").threads()).as("another process by now").isNull();
    Files.writeString(directory.resolve("proc/4711/cgroup"), "0::/../../pods/c1/init\n");
    assertThat(node.runtime.evidence("c1").threads())
        .as("the node's root directory is seen")
        .isEqualTo(new ThreadStates(0, 0, 1, 0, 0));
  }

  @Test
  @DisplayName("a container whose group is not seen has no evidence")
  void unseen() throws Exception {
    connect(call -> reply(call, 1000));
    Files.move(
        directory.resolve("sys/fs/cgroup/pods"), directory.resolve("sys/fs/cgroup/elsewhere"));
    assertThat(node.runtime.evidence("c1")).isEqualTo(ContainerEvidence.NONE);
  }

  @Test
  @DisplayName("an answer of more than 1 MiB is refused")
  void tooLarge() {
    connect(call -> reply(call, CriCalls.MAX_VERBOSE_BYTES));
    assertThatThrownBy(() -> node.runtime.evidence("c1"))
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessageContaining("ContainerStatus");
  }

  @Test
  @DisplayName("two answers are awaited at once, however many containers fail together")
  void fewAtOnce() throws Exception {
    connect(_ -> {});
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      CompletableFuture<?>[] readings = new CompletableFuture<?>[10];
      for (int i = 0; i < readings.length; i++) {
        String id = "c" + i;
        readings[i] = CompletableFuture.supplyAsync(() -> evidence(id), threads);
      }
      await().until(() -> asked.size() == CgroupLookup.AT_ONCE);
      for (int answered = 0; answered < readings.length; answered++) {
        await().until(() -> !asked.isEmpty());
        assertThat(asked).hasSizeLessThanOrEqualTo(CgroupLookup.AT_ONCE);
        reply(asked.remove(), 1000);
      }
      CompletableFuture.allOf(readings).get(LONG.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Test
  @DisplayName("a runtime that does not answer keeps nobody waiting for long")
  void silent() throws Exception {
    connect(_ -> {});
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < CgroupLookup.AT_ONCE; i++) {
        String id = "c" + i;
        Future<?> _ = threads.submit(() -> evidence(id));
      }
      await().until(() -> asked.size() == CgroupLookup.AT_ONCE);
      assertThatThrownBy(() -> node.runtime.evidence("late"))
          .isInstanceOf(ContainerRuntimeException.class)
          .hasMessage("ContainerStatus: 2 lookups in progress, none finished within 3 s");
      asked.forEach(call -> reply(call, 1000));
    }
  }

  private Object evidence(String id) {
    try {
      return node.runtime.evidence(id);
    } catch (ContainerRuntimeException | InterruptedException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
