package io.probelet.runtime.cri;

import static io.probelet.runtime.cri.CriFixture.LONG;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.probe.runtime.ContainerRuntimeException;
import io.probelet.runtime.cri.v1.Container;
import io.probelet.runtime.cri.v1.ContainerState;
import io.probelet.runtime.cri.v1.ContainerStatus;
import io.probelet.runtime.cri.v1.ContainerStatusResponse;
import io.probelet.runtime.cri.v1.ListContainersResponse;
import io.probelet.runtime.cri.v1.ListPodSandboxResponse;
import io.probelet.runtime.cri.v1.VersionResponse;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(120)
class CriListingTest {
  @TempDir Path dir;
  private final EventLoopGroup loops =
      new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  @AfterEach
  void end() {
    loops.shutdownGracefully(0, 0, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("A runtime lists sandboxes and containers; why one has ended is asked for")
  void lists() throws Exception {
    Path socket = dir.resolve("cri.sock");
    CriListing listing = new CriListing(socket, loops.next());
    assertThatThrownBy(() -> listing.ask(LONG)).isInstanceOf(ContainerRuntimeException.class);
    Container ended = Listed.container("c1", "s1", "app", ContainerState.CONTAINER_EXITED, 3);
    try (FakeCri fake = new FakeCri(socket)) {
      fake.on(
          "Version",
          call ->
              call.reply(
                  VersionResponse.newBuilder()
                      .setRuntimeName("containerd")
                      .setRuntimeVersion("2.0")
                      .build()));
      fake.on(
          "ListPodSandbox",
          call ->
              call.reply(
                  ListPodSandboxResponse.newBuilder()
                      .addItems(Listed.sandbox("s1", "web"))
                      .build()));
      fake.on(
          "ListContainers",
          call ->
              call.reply(
                  ListContainersResponse.newBuilder()
                      .addContainers(ended)
                      .addContainers(Listed.running("c2", "s9", "other", 0))
                      .build()));
      fake.on(
          "ContainerStatus",
          call ->
              call.reply(
                  ContainerStatusResponse.newBuilder()
                      .setStatus(
                          ContainerStatus.newBuilder()
                              .setId("c1")
                              .setExitCode(137)
                              .setReason("OOMKilled"))
                      .build()));

      CriListing.Answer answer = listing.ask(LONG);

      assertThat(answer)
          .isEqualTo(
              new CriListing.Answer(
                  "containerd 2.0",
                  List.of(
                      new CriListing.Sandbox(
                          "s1", "default/web", "ready", Instant.ofEpochSecond(1))),
                  List.of(
                      new CriListing.Instance(
                          "c1",
                          "default/web",
                          "k8s_app",
                          3,
                          "exited",
                          Instant.ofEpochSecond(13),
                          "OOMKilled 137"),
                      new CriListing.Instance(
                          "c2", "", "k8s_other", 0, "running", Instant.ofEpochSecond(10), ""))));
    }
  }
}
