package io.probelet.runtime.process;

import static io.probelet.runtime.process.LocalPodBuilders.container;
import static io.probelet.runtime.process.LocalPodBuilders.pod;
import static io.probelet.runtime.process.LocalPodBuilders.sh;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import io.probelet.probe.runtime.ContainerEvidence;
import io.probelet.probe.runtime.ContainerEvidence.ThreadStates;
import io.probelet.process.Processes;
import io.probelet.runtime.confine.CapabilityChange;
import io.probelet.runtime.confine.Confinement;
import io.probelet.runtime.confine.ControlGroups;
import io.probelet.runtime.confine.Limits;
import io.probelet.runtime.confine.OwnPrivileges;
import io.probelet.runtime.evidence.ProcessFiles;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the kernel says about real processes. */
@Timeout(120)
class ProcessEvidenceTest {
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

  private ContainerEvidence evidence(String container) {
    return run.runtime.evidence(run.seen.running(container).id());
  }

  private static Confinement limited(Limits limits) {
    return new Confinement(null, null, false, List.of(), false, CapabilityChange.NONE, limits);
  }

  @Test
  @DisplayName("sleeping, busy and stopped processes and their children differ")
  void threads() {
    run.run(
        pod()
            .grace(Duration.ZERO)
            .with(
                sh("idle", "sleep 600 & exec sleep 600"),
                sh("busy", "while :; do :; done"),
                sh("stopped", "kill -STOP $$$$; sleep 600")));
    awaitThreads("idle", new ThreadStates(0, 2, 0, 0, 0));
    awaitThreads("stopped", new ThreadStates(0, 0, 0, 1, 0));
    awaitThreads("busy", new ThreadStates(1, 0, 0, 0, 0));
    await()
        .untilAsserted(
            () -> assertThat(evidence("busy").cpuMillis()).isNotNull().isGreaterThan(50L));
    assertThat(evidence("idle").cpuMillis()).isNotNull().isLessThan(1000L);
    assertThat(evidence("idle").quota()).isNull();
    assertThat(evidence("idle").memory()).isNull();
  }

  private void awaitThreads(String container, ThreadStates expected) {
    await().untilAsserted(() -> assertThat(evidence(container).threads()).isEqualTo(expected));
  }

  @Test
  @DisplayName("a container without ports of its own has none of the machine's")
  void ports() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      run.run(pod().with(container("web", "sleep", "600")));
      assertThat(evidence("web").listening()).isEmpty();
      assertThat(ProcessFiles.OWN.listening(List.of(ProcessHandle.current().pid())))
          .hasValueSatisfying(mine -> assertThat(mine).contains(server.getLocalPort()));
    }
  }

  @Test
  @DisplayName("in a network of its own nothing of the machine's listens")
  void ownNetwork() throws Exception {
    assumeThat(OwnPrivileges.read().user()).as("only root can make a network").isZero();
    run.run(pod().with(container("web", "unshare", "-n", "sleep", "600")));
    long pid = Processes.pid(run.seen.running("web").id());
    Path table = Path.of("/proc/" + pid + "/net/tcp");
    await()
        .until(() ->
            !Files.getAttribute(table, "unix:ino")
                .equals(Files.getAttribute(Path.of("/proc/self/net/tcp"), "unix:ino")));
    assertThat(evidence("web").listening()).isEmpty();
  }

  @Test
  @DisplayName("a container with limits is counted by its control group")
  void limits() {
    Limits limits = new Limits(64L << 20, 500L);
    assumeThat(new ControlGroups().shortfall(limits)).isEmpty();
    run.run(pod().with(sh("web", "setsid sleep 600 & exec sleep 600").heldTo(limited(limits))));
    await()
        .untilAsserted(() ->
            assertThat(evidence("web").threads())
                .as("a daemon has left the session, not the group")
                .isEqualTo(new ThreadStates(0, 2, 0, 0, 0)));
    assertThat(evidence("web").memory())
        .isNotNull()
        .satisfies(memory -> {
          assertThat(memory.limit()).isEqualTo(64L << 20);
          assertThat(memory.usage()).isPositive();
          assertThat(memory.oomKills()).isZero();
        });
    assertThat(evidence("web").quota()).isNotNull();
  }

  @Test
  @DisplayName("a container that ended has no evidence")
  void ended() throws Exception {
    run.run(pod().with(container("web", "sleep", "600")));
    String id = run.seen.running("web").id();
    run.runtime.stop(id, Duration.ZERO);
    assertThat(run.runtime.evidence(id)).isEqualTo(ContainerEvidence.NONE);
  }
}
