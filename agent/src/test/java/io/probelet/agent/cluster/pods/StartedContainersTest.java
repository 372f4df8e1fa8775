package io.probelet.agent.cluster.pods;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Threads;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeOutcome.ProbeTimings;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.Verdict;
import io.probelet.probe.engine.ProbeListener.Probed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** W-8: what startup probes found outlives the agent. */
class StartedContainersTest {
  private static final PodRef POD = new PodRef("shop", "web", "u");
  private static final PodRef OTHER = new PodRef("shop", "other", "o");
  private static final Verdict OK = new Verdict.Success("ok");

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("started-containers.json");
  }

  private static Probed probed(PodRef pod, String id, ProbeKind kind, Verdict verdict, int run) {
    return new Probed(
        new ProbeSubject(pod, "c", kind),
        id,
        new ProbeOutcome(verdict, ProbeTimings.of(1)),
        run,
        1,
        Duration.ZERO,
        Duration.ZERO);
  }

  private static Probed passed(PodRef pod, String id) {
    return probed(pod, id, ProbeKind.STARTUP, OK, 1);
  }

  /** What an agent that starts now is told. */
  private boolean started(PodRef pod, String id) {
    try (StartedContainers next = new StartedContainers(folder, Threads.MACHINE)) {
      return next.started(pod, "c", id);
    }
  }

  @Test
  @DisplayName("a container that has started is known to the next agent, by its id, in private")
  void kept() throws IOException {
    try (StartedContainers started = new StartedContainers(folder, Threads.MACHINE)) {
      started.probed(passed(POD, "id-1"));
      assertThat(started.started(POD, "c", "id-1")).as("this is not an earlier life").isFalse();
    }
    assertThat(started(POD, "id-1")).isTrue();
    assertThat(started(POD, "id-2")).isFalse();
    assertThat(started(OTHER, "id-1")).isFalse();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-r-----");
  }

  @Test
  @DisplayName("another instance takes the place of the one before it")
  void replaced() {
    try (StartedContainers started = new StartedContainers(folder, Threads.MACHINE)) {
      started.probed(passed(POD, "id-1"));
      started.probed(passed(POD, "id-2"));
    }
    assertThat(started(POD, "id-1")).isFalse();
    assertThat(started(POD, "id-2")).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"LIVENESS, true, 1", "READINESS, true, 1", "STARTUP, false, 1", "STARTUP, true, 0"})
  @DisplayName("nothing but a startup probe that succeeded says so")
  void others(ProbeKind kind, boolean healthy, int run) {
    try (StartedContainers started = new StartedContainers(folder, Threads.MACHINE)) {
      started.probed(probed(POD, "id-1", kind, healthy ? OK : new Verdict.Failure("no"), run));
    }
    assertThat(started(POD, "id-1")).isFalse();
  }

  @Test
  @DisplayName(
      "a pod is forgotten if its probes restart, if it is removed, or if it ended without an agent")
  void forgotten() {
    try (StartedContainers first = new StartedContainers(folder, Threads.MACHINE)) {
      first.probed(passed(POD, "id-1"));
      first.probed(passed(OTHER, "id-2"));
    }
    try (StartedContainers second = new StartedContainers(folder, Threads.MACHINE)) {
      assertThat(second.started(POD, "c", "id-1")).isTrue();
      second.podRemoved(POD);
      assertThat(second.started(POD, "c", "id-1")).isFalse();
    }
    assertThat(started(POD, "id-1")).isFalse();
    assertThat(started(OTHER, "id-2")).isTrue();
    try (StartedContainers third = new StartedContainers(folder, Threads.MACHINE)) {
      third.retain(Set.of(POD));
    }
    assertThat(started(OTHER, "id-2")).isFalse();
  }

  @Test
  @DisplayName("what is forgotten after the end, because the agent ends, is kept")
  void closed() {
    StartedContainers started = new StartedContainers(folder, Threads.MACHINE);
    started.probed(passed(POD, "id-1"));
    started.close();
    started.podRemoved(POD);
    assertThat(started(POD, "id-1")).isTrue();
  }

  @Test
  @DisplayName("the latest 4096 are kept")
  void bounded() throws IOException {
    try (StartedContainers started = new StartedContainers(folder, Threads.MACHINE)) {
      for (int i = 0; i <= StartedContainers.MAX_CONTAINERS; i++) {
        started.probed(passed(new PodRef("shop", "web-" + i, "u-" + i), "id"));
      }
    }
    assertThat(started(new PodRef("shop", "web-0", "u-0"), "id")).isFalse();
    assertThat(started(new PodRef("shop", "web-1", "u-1"), "id")).isTrue();
    assertThat(Files.size(file())).isLessThan(StartedFile.MAX_BYTES);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "{", "[]", "{\"containers\": [{\"namespace\": \"\"}]}", "large"})
  @DisplayName("a file that cannot be used is done without, and replaced")
  void corrupt(String content) throws IOException {
    Files.writeString(
        file(), content.equals("large") ? " ".repeat(StartedFile.MAX_BYTES + 1) : content);
    try (StartedContainers started = new StartedContainers(folder, Threads.MACHINE)) {
      assertThat(started.started(POD, "c", "id-1")).isFalse();
      started.probed(passed(POD, "id-1"));
    }
    assertThat(started(POD, "id-1")).isTrue();
  }
}
