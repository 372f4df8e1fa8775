package io.probelet.runtime.cri;

import static io.probelet.runtime.cri.CriFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.probe.runtime.ExecResult;
import io.probelet.probe.runtime.ExecResult.Exited;
import io.probelet.probe.runtime.ExecResult.TimedOut;
import io.probelet.runtime.cri.v1.ContainerState;
import io.probelet.runtime.cri.v1.ExecSyncRequest;
import io.probelet.runtime.cri.v1.ExecSyncResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** D-7: what a CRI runtime is asked for a preStop hook. */
class CriHookTest {
  @TempDir Path directory;
  private CriFixture node;

  @BeforeEach
  void start() {
    node = new CriFixture(directory);
    node.connect(SystemClock.INSTANCE, CriFixture.options(LONG, LONG, 1));
    await().until(node.runtime::connected);
  }

  @AfterEach
  void stop() {
    node.close();
  }

  private ExecResult hook(Duration within) throws Exception {
    return node.runtime.hook("c1", List.of("drain", "it"), within);
  }

  @Test
  @DisplayName("D-7 the command runs in the container, for as long as the grace period at most")
  void command() throws Exception {
    BlockingQueue<ExecSyncRequest> requests = new ArrayBlockingQueue<>(1);
    node.cri.on(
        "ExecSync",
        call -> {
          requests.add(ExecSyncRequest.parseFrom(call.request()));
          call.reply(ExecSyncResponse.newBuilder().setExitCode(3).build());
        });
    assertThat(hook(Duration.ofMillis(29_500))).isEqualTo(new Exited(3, ""));
    assertThat(requests.remove())
        .isEqualTo(
            ExecSyncRequest.newBuilder()
                .setContainerId("c1")
                .addCmd("drain")
                .addCmd("it")
                .setTimeout(30)
                .build());
  }

  @Test
  @DisplayName("D-7 a hook that hangs is over in time, and takes no probe's place meanwhile")
  void hangs() throws Exception {
    node.cri.on("ExecSync", _ -> {});
    Thread probe =
        Thread.startVirtualThread(() -> {
          try {
            node.runtime.exec(CriFixture.WEB, "c1", List.of("true"), LONG, 100);
          } catch (ContainerRuntimeException | InterruptedException atTheEnd) {
            // it holds the only slot until then
          }
        });
    await().until(() -> node.runtime.stats().execs().running() == 1);
    assertThat(hook(Duration.ofMillis(200))).isEqualTo(new TimedOut());
    probe.interrupt();
    node.cri.on("ExecSync", call -> call.fail(4, "timeout 1s exceeded: context deadline exceeded"));
    assertThat(hook(LONG)).as("the runtime was first").isEqualTo(new TimedOut());
    node.cri.on("ExecSync", call -> call.fail(2, "no such file"));
    assertThatThrownBy(() -> hook(LONG))
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessageContaining("no such file");
  }

  @ParameterizedTest
  @CsvSource({
    "CONTAINER_RUNNING,true",
    "CONTAINER_CREATED,false",
    "CONTAINER_EXITED,false",
    "CONTAINER_UNKNOWN,false",
  })
  @DisplayName("D-7 whether a container still runs is asked for and not remembered")
  void runs(ContainerState state, boolean expected) throws Exception {
    node.cri.containers.computeIfPresent("c1", (_, it) -> it.toBuilder().setState(state).build());
    assertThat(node.runtime.runs("c1")).isEqualTo(expected);
    assertThat(node.runtime.runs("nobody")).isFalse();
    node.cri.on("ContainerStatus", call -> call.fail(14, "going down"));
    assertThatThrownBy(() -> node.runtime.runs("c1")).isInstanceOf(ContainerRuntimeException.class);
  }
}
