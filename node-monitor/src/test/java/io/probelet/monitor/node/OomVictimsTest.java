package io.probelet.monitor.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.health.VirtualTime;
import io.probelet.monitor.track.PodTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** B-10: a pod is named if its own cgroup has counted the kill. */
class OomVictimsTest {
  private static final String UID = "0c5d1e6a-4f6b-4c3e-9a5b-1f2e3d4c5b6a";
  private static final String ID = "0123456789abcdef".repeat(4);
  private static final String POD = "/kubepods/burstable/pod" + UID;
  private static final String KILLED = "Memory cgroup out of memory: Killed process 7 (java)";
  private static final PodTrace VICTIM = new PodTrace(UID, ID);

  @TempDir Path sys;
  private final ManualClock clock = new VirtualTime().clock();

  private void count(String cgroup, String file, long kills) throws IOException {
    Path folder = Files.createDirectories(sys.resolve("fs/cgroup" + cgroup));
    Files.writeString(folder.resolve(file), "low 0\noom 9\noom_kill " + kills + "\n");
  }

  private OomVictims after(String pod) {
    OomVictims victims = new OomVictims(sys, clock);
    victims.take(
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg=%s,"
                .formatted(pod)
            + "task_memcg=%s/%s,task=java,pid=7,uid=0".formatted(pod, ID));
    return victims;
  }

  @Test
  @DisplayName("B-10 each kill requires a risen count, possibly shared with simultaneous kills")
  void counted() throws Exception {
    OomVictims victims = after(POD);
    assertThat(victims.of(KILLED)).as("no such cgroup").isEmpty();
    count(POD, "memory.events", 0);
    assertThat(victims.of(KILLED)).isEmpty();
    count(POD, "memory.events", 3);
    assertThat(victims.of(KILLED)).contains(VICTIM);
    clock.advance(Duration.ofSeconds(9));
    assertThat(victims.of(KILLED)).as("killed together").contains(VICTIM);
    clock.advance(Duration.ofSeconds(2));
    assertThat(victims.of(KILLED)).as("nobody was killed since").isEmpty();
    count(POD, "memory.events", 4);
    assertThat(victims.of(KILLED)).contains(VICTIM);
    assertThat(victims.of("x " + KILLED)).isEmpty();
  }

  @Test
  @DisplayName("B-10 in cgroup v1 each container's cgroup counts for itself")
  void first() throws Exception {
    OomVictims victims = after(POD);
    count("/memory" + POD, "memory.oom_control", 0);
    assertThat(victims.of(KILLED)).isEmpty();
    count("/memory" + POD + "/" + ID, "memory.oom_control", 1);
    assertThat(victims.of(KILLED)).contains(VICTIM);
  }

  @Test
  @DisplayName("B-10 in a nested node only a part of the kernel's path is visible")
  void nested() throws Exception {
    OomVictims victims = after("/docker/" + ID + "/kubelet" + POD);
    count("/kubelet" + POD, "memory.events", 1);
    assertThat(victims.of(KILLED)).contains(VICTIM);
  }

  @Test
  @DisplayName("B-10 paths outside the hierarchy and invalid files are ignored")
  void odd() throws Exception {
    count(POD, "memory.events", 1);
    assertThat(after("/x/.." + POD).of(KILLED)).isEmpty();
    Files.writeString(sys.resolve("fs/cgroup" + POD + "/memory.events"), "oom_kill many\n");
    assertThat(after(POD).of(KILLED)).isEmpty();
    assertThat(OomVictims.NONE.of(KILLED)).isEmpty();
  }
}
