package io.probelet.runtime.confine;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.runtime.confine.ControlGroup.Setting;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Against folders that stand for the kernel's; real groups are ConfinedContainerTest's. */
class ControlGroupsTest {
  private static final Limits MEMORY = new Limits(64L << 20, null);
  private static final Limits CPU = new Limits(null, 500L);
  private static final long SELF = ProcessHandle.current().pid();

  @TempDir private Path dir;
  private Path proc;
  private Path own;

  @BeforeEach
  void unified() throws Exception {
    proc = Files.createDirectory(dir.resolve("proc"));
    own = Files.createDirectories(dir.resolve("cgroup/my.scope"));
    Files.writeString(proc.resolve("cgroup"), "0::/my.scope\n");
    Files.writeString(
        proc.resolve("mountinfo"),
        "24 1 0:22 / / rw - ext4 /dev/vda rw\n"
            + "30 24 0:27 / %s rw,nosuid shared:9 - cgroup2 cgroup2 rw\n"
                .formatted(dir.resolve("cgroup")));
    Files.writeString(own.resolve("cgroup.controllers"), "cpu memory pids\n");
    Files.writeString(own.resolve("cgroup.subtree_control"), "");
    Files.writeString(own.resolve("cgroup.procs"), SELF + "\n");
  }

  @Test
  @DisplayName("without any hierarchy limits cannot be had, and the message says which")
  void none() throws Exception {
    Files.writeString(proc.resolve("mountinfo"), "24 1 0:22 / / rw - ext4 /dev/vda rw\n");
    assertThat(groups().shortfall(MEMORY).orElseThrow()).startsWith("memory: this machine");
    assertThat(groups().shortfall(CPU).orElseThrow()).startsWith("cpu: this machine");
    assertThat(groups().shortfall(Limits.NONE)).isEmpty();
  }

  @Test
  @DisplayName("a group that others share is left alone, and the message says what to do")
  void shared() throws Exception {
    Files.writeString(own.resolve("cgroup.procs"), SELF + "\n1\n");
    assertThat(groups().shortfall(MEMORY).orElseThrow())
        .contains("other processes", own.toString(), "systemd-run");
    assertThat(own.resolve("cgroup.subtree_control")).isEmptyFile();
    assertThat(own.resolve("probelet-agent")).doesNotExist();
  }

  @Test
  @DisplayName("a delegated group is split: Probelet in a leaf, the controller switched on")
  void delegated() throws Exception {
    Path leaf = Files.createDirectory(own.resolve("probelet-agent"));
    Files.writeString(leaf.resolve("cgroup.procs"), "");
    Files.writeString(own.resolve("cgroup.controllers"), "memory pids\n");
    assertThat(groups().shortfall(MEMORY)).isEmpty();
    assertThat(leaf.resolve("cgroup.procs")).hasContent(Long.toString(SELF));
    assertThat(own.resolve("cgroup.subtree_control")).hasContent("+memory");
  }

  @Test
  @DisplayName("a controller that the group was not given is missed by name")
  void notDelegated() throws Exception {
    Files.writeString(own.resolve("cgroup.controllers"), "pids\n");
    assertThat(groups().shortfall(CPU).orElseThrow()).startsWith("cpu: this machine");
  }

  @Test
  @DisplayName("what a killed agent left is removed, what a living one has is not")
  void leftovers() throws Exception {
    Files.writeString(own.resolve("cgroup.subtree_control"), "cpu memory\n");
    Path old = Files.createDirectory(own.resolve("probelet-4194399-1"));
    Path ours = Files.createDirectory(own.resolve("probelet-" + SELF + "-1"));
    Path foreign = Files.createDirectory(own.resolve("probelet-x-1"));
    assertThat(groups().shortfall(MEMORY)).isEmpty();
    assertThat(old).doesNotExist();
    assertThat(ours).exists();
    assertThat(foreign).exists();
  }

  @Test
  @DisplayName("limits as both versions write them")
  void settings() {
    assertThat(ControlGroup.memory(1000, true))
        .contains(
            new Setting("memory.max", "1000", false), new Setting("memory.swap.max", "0", true));
    assertThat(ControlGroup.memory(1000, false))
        .contains(new Setting("memory.limit_in_bytes", "1000", false));
    assertThat(ControlGroup.cpu(500, true))
        .containsExactly(new Setting("cpu.max", "50000 100000", false));
    assertThat(ControlGroup.cpu(1, true))
        .containsExactly(new Setting("cpu.max", "1000 100000", false));
    assertThat(ControlGroup.cpu(2500, false))
        .containsExactly(
            new Setting("cpu.cfs_period_us", "100000", false),
            new Setting("cpu.cfs_quota_us", "250000", false));
    assertThat(ControlGroup.cpu(Long.MAX_VALUE, false).getLast().value())
        .isEqualTo("9223372036854775800");
  }

  private ControlGroups groups() {
    return new ControlGroups(proc, SELF);
  }
}
