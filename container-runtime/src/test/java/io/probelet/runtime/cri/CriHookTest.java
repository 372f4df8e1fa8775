package io.probelet.runtime.cri;

import static io.probelet.runtime.Patience.LONG;
import static io.probelet.runtime.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
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
import java.util.concurrent.TimeUnit;
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
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
  private FakeCri cri;
  private CriRuntime runtime;

  @BeforeEach
  void start() {
    Path socket = directory.resolve("cri.sock");
    cri = new FakeCri(socket);
    cri.sandboxes.put("s1", Listed.sandbox("s1", "web"));
    cri.containers.put("c1", Listed.running("c1", "s1", "app", 0));
    runtime =
        CriRuntime.connect(
            socket,
            loops,
            SystemClock.INSTANCE,
            new CriOptions("127.0.0.1", Duration.ofMillis(200), LONG, LONG, LONG, 1));
    runtime.watch(new Pods());
    await().until(runtime::connected);
  }

  @AfterEach
  void stop() {
    runtime.close();
    cri.close();
    loops.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private ExecResult hook(Duration within) throws Exception {
    return runtime.hook("c1", List.of("drain", "it"), within);
  }

  @Test
  @DisplayName("D-7 the command runs in the container, for as long as the grace period at most")
  void command() throws Exception {
    BlockingQueue<ExecSyncRequest> requests = new ArrayBlockingQueue<>(1);
    cri.on(
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
    cri.on("ExecSync", _ -> {});
    Thread probe =
        Thread.startVirtualThread(() -> {
          try {
            runtime.exec("c1", List.of("true"), LONG, 100);
          } catch (ContainerRuntimeException | InterruptedException atTheEnd) {
            // it holds the only slot until then
          }
        });
    await().until(() -> runtime.stats().execs().running() == 1);
    assertThat(hook(Duration.ofMillis(200))).isEqualTo(new TimedOut());
    probe.interrupt();
    cri.on("ExecSync", call -> call.fail(4, "timeout 1s exceeded: context deadline exceeded"));
    assertThat(hook(LONG)).as("the runtime was first").isEqualTo(new TimedOut());
    cri.on("ExecSync", call -> call.fail(2, "no such file"));
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
    cri.containers.computeIfPresent("c1", (_, it) -> it.toBuilder().setState(state).build());
    assertThat(runtime.runs("c1")).isEqualTo(expected);
    assertThat(runtime.runs("nobody")).isFalse();
    cri.on("ContainerStatus", call -> call.fail(14, "going down"));
    assertThatThrownBy(() -> runtime.runs("c1")).isInstanceOf(ContainerRuntimeException.class);
  }
}
