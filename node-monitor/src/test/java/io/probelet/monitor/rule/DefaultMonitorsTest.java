package io.probelet.monitor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultMonitorsTest {
  private static final List<Monitor.Log> ALL =
      Stream.of("kernel.json", "services.json")
          .map(name -> (Monitor.Log) DefaultMonitors.read(name))
          .toList();

  private static Set<String> reasons(String line, boolean clearing) {
    return ALL.stream()
        .flatMap(monitor -> monitor.rules().stream())
        .filter(rule -> {
          LinePattern pattern = clearing ? rule.clear() : rule.pattern();
          return pattern != null && pattern.find(line).isPresent();
        })
        .map(rule -> rule.consequence().reason())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "Killed process 1234 (foo) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB | OOMKilling",
        "INFO: task kworker/u8:2:91 blocked for more than 120 seconds. | TaskHung",
        "unregister_netdevice: waiting for eth0 to become free. Usage count = 1 | UnregisterNetDevice",
        "BUG: kernel NULL pointer dereference, address: 0000000000000008 | KernelOops",
        "BUG: unable to handle page fault for address: ffffb0c4c0a3f000 | KernelOops",
        "divide error: 0000 [#1] SMP PTI | KernelOops",
        "kernel BUG at fs/ext4/inode.c:2721! | KernelOops",
        "general protection fault: 0000 [#1] SMP PTI | KernelOops",
        "Oops: general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1] PREEMPT SMP | KernelOops",
        "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008 | KernelOops",
        "Unable to handle kernel paging request at virtual address ffff80001234f000 | KernelOops",
        "Internal error: synchronous external abort: 0000000096000010 [#1] PREEMPT SMP | KernelOops",
        "Internal error: Oops - undefined instruction: 0000000002000000 [#1] SMP | KernelOops",
        "INFO: task jbd2/dm-0-8:291 blocked in I/O wait for more than 122 seconds. | TaskHung",
        "unregister_netdevice: waiting for veth-a.100 to become free. Usage count = 2 | UnregisterNetDevice",
        "Memory failure: 0x1850602: Sending SIGBUS to fsdax:8457 due to hardware memory corruption | MemoryFailure",
        "Memory failure: 0x104000: recovery action for huge page: Recovered | MemoryFailure",
        "NVRM: Xid (PCI:0000:3b:00): 79, pid=1122, GPU has fallen off the bus. | GpuXid",
        "NVRM: Xid (0000:03:00): 13, Graphics Exception | GpuXid",
        "blk_update_request: I/O error, dev dm-3, sector 2048 op 0x0 | IOError",
        "EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading | Ext4Error",
        "EXT4-fs warning (device sda1): ext4_end_bio:314: I/O error -5 | Ext4Warning",
        "Buffer I/O error on dev sdb, logical block 0, async page read | IOError",
        "blk_update_request: I/O error, dev sda, sector 2048 op 0x0 | IOError",
        "{1}[Hardware Error]: event severity: corrected | CperHardwareErrorCorrected",
        "{1}[Hardware Error]: event severity: recoverable | CperHardwareErrorRecoverable",
        "{1}[Hardware Error]: event severity: fatal | CperHardwareErrorFatal",
        "XFS (sdb1): Log I/O Error Detected. Shutting down filesystem | XfsHasShutDown",
        "XFS (dm-0): Metadata I/O Error (0x1) detected at xfs_trans_read_buf_map+0x1f0/0x2d0 [xfs] (fs/xfs/xfs_trans_buf.c:296).  Shutting down filesystem. | XfsHasShutDown",
        "XFS (sda6): Filesystem has been shut down due to log error (0x2). | XfsHasShutDown",
        "EXT4-fs (sda1): Remounting filesystem read-only | FilesystemIsReadOnly",
        "EXT3-fs (sda1): error: remounting filesystem read-only | FilesystemIsReadOnly",
        "F2FS-fs (dm-1): Remounting filesystem read-only | FilesystemIsReadOnly",
        "Remounting filesystem read-only | FilesystemIsReadOnly",
        "BTRFS info (device sdf): forced readonly | FilesystemIsReadOnly",
        "BTRFS info (device nvme0n1p2 state EA): forced readonly | FilesystemIsReadOnly",
        "BTRFS info (device dm-75: state E): forced readonly | FilesystemIsReadOnly",
        "watchdog: BUG: soft lockup - CPU#3 stuck for 23s! [kworker/3:1:55] | SoftLockup",
        "NMI watchdog: Watchdog detected hard LOCKUP on cpu 5 | HardLockup",
        "rcu: INFO: rcu_sched self-detected stall on CPU | RcuStall",
        "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks: | RcuStall",
        "rcu: INFO: rcu_sched detected expedited stalls on CPUs/tasks: { 14-... 41-... } 88575 jiffies s: 2325 root: 0x5/. | RcuStall",
        "mce: [Hardware Error]: Machine check events logged | MachineCheck",
        "EDAC MC0: 1 UE memory read error on CPU_SrcID#0 | MemoryUncorrected",
        "nvme nvme0: controller is down; will reset: CSTS=0xffffffff | NvmeReset",
        "NETDEV WATCHDOG: eth0 (e1000e): transmit queue 0 timed out 5000 ms | NicTransmitHang",
        "kubelet[812]: segfault at 0 ip 0000 sp 0000 error 4 in kubelet | DaemonSegfault",
        "nf_conntrack: nf_conntrack: table full, dropping packet | ConntrackFull",
        "Started kubelet: The Kubernetes Node Agent. | FrequentKubeletRestart,KubeletStart",
        "Started kubelet.service - kubelet: The Kubernetes Node Agent. | FrequentKubeletRestart,KubeletStart",
        "Started Kubernetes Kubelet. | FrequentKubeletRestart,KubeletStart",
        "Started Kubernetes Kubelet Server. | FrequentKubeletRestart,KubeletStart",
        "Started kubelet.service - Kubernetes Kubelet Server. | FrequentKubeletRestart,KubeletStart",
        "Started kubelet.service. | FrequentKubeletRestart,KubeletStart",
        "Started containerd container runtime. | ContainerdStart,FrequentContainerdRestart",
        "Started containerd.service - containerd container runtime. | ContainerdStart,FrequentContainerdRestart",
        "Started containerd.service. | ContainerdStart,FrequentContainerdRestart",
      })
  @DisplayName("A-10 the built-in rules see what kernels and services say, each by its reason")
  void seen(String line, String expected) {
    assertThat(String.join(",", reasons(line.strip(), false))).isEqualTo(expected.strip());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "traps: java[123] general protection fault ip:7f01 sp:7f02 error:0 in libc.so.6[7f00+1000]",
        "Memory failure: 0x10d88e: corrupted page was clean: dropped without side effects",
        "Internal error: Oops - BUG: 00000000f2000800 [#1] SMP",
        "Started kubelet-cleanup.service - Cleans up after the kubelet.",
        "Starting kubelet.service - kubelet: The Kubernetes Node Agent...",
        "Started containerd-config.service - Writes the configuration.",
        "EXT4-fs (sda1): re-mounted 5b6e ro. Quota mode: none.",
        "XFS (sdb1): Starting recovery (logdev: internal)",
        "Mounted /xfs/Shutting down filesystem"
      })
  @DisplayName("A-10 what belongs to others, or was told already, is not seen")
  void notSeen(String line) {
    assertThat(reasons(line, false)).isEmpty();
    assertThat(reasons(line, true)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXT4-fs (dm-0): Remounting filesystem read-only | dm-0",
        "EXT4-fs (nvme0n1p1): Remounting filesystem read-only | nvme0n1p1",
        "EXT4-fs error (device cciss!c0d0p1): Remounting filesystem read-only | cciss!c0d0p1",
        "Remounting filesystem read-only | ''",
        "EXT4-fs (vg.data-lv): mounted filesystem 5b6e r/w with ordered data mode. | vg.data-lv",
        "EXT4-fs (sda1): re-mounted 5b6e r/w. Quota mode: none. | sda1",
        "BTRFS info (device dm-75: state E): forced readonly | dm-75",
        "BTRFS info (device sdd state EA): forced readonly | sdd",
        "XFS (dm-0): Corruption of in-memory data (0x8) detected at xfs_x+0x1 [xfs] (fs/xfs/xfs_x.c:1).  Shutting down filesystem. | dm-0",
        "XFS (sda6): Filesystem has been shut down due to log error (0x2). | sda6",
        "XFS (sda6): Ending recovery (logdev: internal) | sda6",
        "XFS (md-0.1): Ending clean mount | md-0.1"
      })
  @DisplayName("B-15 which disk it is about")
  void device(String line, String device) {
    List<String> found =
        ALL.stream()
            .flatMap(monitor -> monitor.rules().stream())
            .filter(rule -> rule.consequence() instanceof Consequence.OnCondition)
            .flatMap(rule -> Stream.of(rule.pattern(), rule.clear()))
            .filter(Objects::nonNull)
            .filter(pattern -> pattern.find(line).isPresent())
            .map(pattern -> pattern.device(line))
            .toList();
    assertThat(found).containsExactly(device);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXT4-fs (sda1): mounted filesystem 5b6e r/w with ordered data mode. | FilesystemIsReadOnly",
        "XFS (dm-0): Ending recovery (logdev: internal) | XfsHasShutDown",
        "EXT4-fs (sda1): re-mounted 5b6e r/w. Quota mode: none. | FilesystemIsReadOnly",
        "XFS (sdb1): Ending clean mount | XfsHasShutDown",
      })
  @DisplayName("B-1 and what ends it")
  void cleared(String line, String expected) {
    assertThat(reasons(line.strip(), true)).containsExactly(expected.strip());
  }

  @Test
  @DisplayName("B-15 an empty folder is no journal")
  void withoutJournal(@TempDir Path dir) throws Exception {
    List<Path> folders = List.of(dir.resolve("none"), dir.resolve("journal"));
    assertThat(JournalFiles.areIn(folders)).isFalse();
    Path machine = Files.createDirectories(dir.resolve("journal/0123"));
    assertThat(JournalFiles.areIn(folders)).as("an empty folder is no journal").isFalse();
    Files.createFile(machine.resolve("user-1000.journal"));
    assertThat(JournalFiles.areIn(folders)).isTrue();
    assertThat(JournalFiles.areIn(List.of(machine))).as("the folder itself").isTrue();
    assertThat(JournalFiles.unreadable(folders, _ -> false)).as("a user's only").isEmpty();
    Path system = Files.createFile(machine.resolve("system.journal"));
    assertThat(JournalFiles.unreadable(folders, _ -> false)).contains(system);
    assertThat(JournalFiles.unreadable(folders, _ -> true)).isEmpty();
    assertThat(JournalFiles.folders(Path.of("/host"), ""))
        .containsExactly(Path.of("/host/run/log/journal"), Path.of("/host/var/log/journal"));
    assertThat(JournalFiles.folders(Path.of("/host"), "/logs"))
        .containsExactly(Path.of("/host/logs"));
  }

  @Test
  @DisplayName("A-2 no built-in rule has to be matched against every line")
  void cheap() {
    assertThat(ALL)
        .allSatisfy(monitor ->
            assertThat(monitor.rules())
                .filteredOn(rule -> rule.pattern().literals().isEmpty())
                .extracting(rule -> rule.pattern().source())
                .isEmpty());
  }
}
