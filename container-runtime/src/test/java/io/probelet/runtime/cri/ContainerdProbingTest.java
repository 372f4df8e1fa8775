package io.probelet.runtime.cri;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.ReservedPort;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.ExecResult.Exited;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;

/** The engine and the adapter together: probes into real containers, and restarts of them. */
@TestInstance(Lifecycle.PER_CLASS)
@ExtendWith(NeedsContainerd.class)
class ContainerdProbingTest {
  private static final Duration SECOND = Duration.ofSeconds(1);

  /** A busy machine runs runc slowly. */
  private static final Duration TIMEOUT = Duration.ofMinutes(3);

  private static final int MAX_EXECS = 16;

  private PrivateContainerd containerd;
  private ProbedNode node;
  private KubeletStandIn kubelet;

  @BeforeAll
  void start() throws Exception {
    containerd = PrivateContainerd.start();
    node = new ProbedNode(containerd.socket(), new CriOptions("127.0.0.1"));
    kubelet = new KubeletStandIn(containerd.socket(), node.loop.eventLoop());
    kubelet.restartWhatEnds();
  }

  @AfterAll
  void stop() {
    if (kubelet != null) {
      kubelet.close();
    }
    if (node != null) {
      node.close();
    }
    if (containerd != null) {
      containerd.close();
    }
  }

  @AfterEach
  void probeNoMore() {
    node.probeNoMore();
  }

  /** A probe that no machine is too slow for: none of these tests is about timeouts. */
  private static ProbeSpec.Builder everySecond(ProbeHandler handler) {
    return ProbeSpec.of(handler).period(SECOND).timeout(TIMEOUT);
  }

  private Verdict firstOf(String containerId) {
    return await()
        .atMost(TIMEOUT)
        .until(() -> node.of(containerId), probes -> !probes.isEmpty())
        .getFirst()
        .outcome()
        .verdict();
  }

  @Test
  @DisplayName("a web server in a container is probed by HTTP and TCP at the pod's IP")
  void network() throws Exception {
    try (ReservedPort port = new ReservedPort()) {
      network(port.number());
    }
  }

  private void network(int port) throws Exception {
    PodRef pod = kubelet.pod("web");
    String web =
        kubelet.container(pod, "web", "httpd", "-f", "-p", "127.0.0.1:" + port, "-h", "/www");
    String beside = kubelet.container(pod, "beside", "sleep", "100000");
    await().atMost(TIMEOUT).until(() -> answers(port));
    Port at = new Port.Numeric(port);
    node.probe(
        pod,
        Map.of(
            "web", everySecond(new HttpGet(at, "/index.html")).build(),
            "beside", everySecond(new TcpSocket(at, null)).build()));

    assertThat(firstOf(web)).isEqualTo(new Success("hello\n"));
    assertThat(firstOf(beside)).isEqualTo(new Success(""));
  }

  private static boolean answers(int port) {
    try (java.net.Socket _ = new java.net.Socket(InetAddress.ofLiteral("127.0.0.1"), port)) {
      return true;
    } catch (java.io.IOException notYet) {
      return false;
    }
  }

  @Test
  @DisplayName("H-10: a server written with grpc-go, containerd's own, has no health service there")
  void grpc() throws Exception {
    PodRef pod = kubelet.pod("health");
    String id = kubelet.container(pod, "app", "sleep", "100000");
    node.probe(pod, Map.of("app", everySecond(new Grpc(containerd.tcpPort(), "", null)).build()));

    assertThat(firstOf(id))
        .isEqualTo(
            new Failure(
                "error: this server does not implement the grpc health protocol"
                    + " (grpc.health.v1.Health): unknown service grpc.health.v1.Health"));
  }

  @Test
  @DisplayName(
      "D-1, C-22: liveness fails, the container is stopped, and its successor is probed"
          + " after its own initial delay")
  void restart() throws Exception {
    PodRef pod = kubelet.pod("flaky");
    String first = kubelet.container(pod, "app", "sleep", "100000");
    ProbeSpec spec =
        everySecond(new Exec(List.of("sh", "-c", "! test -e /tmp/broken")))
            .initialDelay(Duration.ofSeconds(2))
            .failureThreshold(2)
            .terminationGracePeriod(SECOND)
            .build();
    node.probe(pod, Map.of("app", spec));
    assertThat(firstOf(first)).isEqualTo(new Success(""));

    assertThat(node.runtime.exec(pod, first, List.of("touch", "/tmp/broken"), TIMEOUT, 100))
        .isEqualTo(new Exited(0, ""));
    ContainerObservation second =
        node.pods.until(pod, "app", each -> each.running() && !each.id().equals(first));
    assertThat(second.restartCount()).isEqualTo(1);
    Instant begun = second.startedAt();
    assertThat(firstOf(second.id())).isEqualTo(new Success(""));
    // Whole seconds count, so up to one less (W-3.8).
    assertThat(Duration.between(begun, Instant.now())).isGreaterThan(SECOND);

    assertThat(node.restarts.stream().filter(each -> each.subject().pod().equals(pod)))
        .singleElement()
        .satisfies(each -> {
          assertThat(each.containerId()).isEqualTo(first);
          assertThat(each.grace()).isEqualTo(SECOND);
          assertThat(each.event().message())
              .isEqualTo("Container app failed liveness probe, will be restarted");
        });
  }

  @Test
  @DisplayName(
      "a hundred containers with a command every second: no failure of our making,"
          + " and never more commands at once than allowed")
  void hundred() throws Exception {
    // Spread over pods, for one alone may not have so many commands at once.
    Map<PodRef, Map<String, ProbeSpec>> pods = new LinkedHashMap<>();
    List<String> ids = new ArrayList<>();
    try (ExecutorService makers = Executors.newFixedThreadPool(2)) {
      List<Future<String>> made = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        PodRef pod = kubelet.pod("hundred-" + i);
        pods.put(pod, new HashMap<>());
        for (int j = 0; j < 10; j++) {
          String name = "app-" + j;
          pods.get(pod)
              .put(name, everySecond(new Exec(List.of("true"))).failureThreshold(1).build());
          made.add(makers.submit(() -> kubelet.container(pod, name, "sleep", "100000")));
        }
      }
      for (Future<String> each : made) {
        ids.add(each.get());
      }
    }
    pods.forEach(node::probe);
    Duration waited = node.runtime.stats().execs().waited();
    List<Integer> running = new ArrayList<>();
    await()
        .atMost(TIMEOUT)
        .pollInterval(Duration.ofMillis(5))
        .until(() -> {
          running.add(node.runtime.stats().execs().running());
          return ids.stream().noneMatch(id -> node.of(id).isEmpty());
        });

    assertThat(node.probed)
        .filteredOn(each -> pods.containsKey(each.subject().pod()))
        .extracting(each -> each.outcome().verdict())
        .containsOnly(new Success(""));
    assertThat(running).allMatch(each -> each <= MAX_EXECS);
    // Who waits does so because so many run; 84 commands, with others before them.
    assertThat(node.runtime.stats().execs().waited().minus(waited)).isGreaterThan(SECOND);
  }
}
