package io.probelet.runtime.cri;

import static io.probelet.runtime.cri.CriFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.health.SystemClock;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.v1.RuntimeCondition;
import io.probelet.runtime.cri.v1.RuntimeStatus;
import io.probelet.runtime.cri.v1.StatusResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class CriHealthTest {
  @TempDir Path dir;
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  @AfterEach
  void end() {
    loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }

  private static RuntimeCondition condition(String type, boolean holds) {
    return RuntimeCondition.newBuilder()
        .setType(type)
        .setStatus(holds)
        .setReason(type + "Not")
        .setMessage("cni plugin not initialized")
        .build();
  }

  @Test
  @DisplayName("B-9 a runtime says whether it and its network are ready, and lists what runs")
  void asks() throws Exception {
    Path socket = dir.resolve("cri.sock");
    CriHealth health = new CriHealth(socket, loops.next(), SystemClock.INSTANCE);
    assertThatThrownBy(() -> health.ask(LONG))
        .isInstanceOf(ContainerRuntimeException.class)
        .hasMessageContaining("connect to " + socket);
    try (FakeCri fake = new FakeCri(socket)) {
      fake.on(
          "Status",
          call ->
              call.reply(
                  StatusResponse.newBuilder()
                      .setStatus(
                          RuntimeStatus.newBuilder()
                              .addConditions(condition("RuntimeReady", true))
                              .addConditions(condition("NetworkReady", false)))
                      .build()));
      CriHealth.Answer answer = health.ask(LONG);
      assertThat(answer.ready()).isEmpty();
      assertThat(answer.networkReady()).isEqualTo("NetworkReadyNot: cni plugin not initialized");
      assertThat(answer.listTook()).isBetween(Duration.ofNanos(1), LONG);
      fake.on("ListContainers", _ -> {});
      // On a slow machine it may be late before it comes to the list.
      await()
          .untilAsserted(() ->
              assertThatThrownBy(() -> health.ask(Duration.ofMillis(200)))
                  .hasMessage("ListContainers: " + socket + " did not answer within 200ms"));
    }
    health.close();
  }
}
