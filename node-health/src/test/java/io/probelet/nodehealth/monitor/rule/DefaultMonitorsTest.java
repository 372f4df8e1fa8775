package io.probelet.nodehealth.monitor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
        "divide error: 0000 [#1] SMP PTI | KernelOops",
        "EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading | Ext4Error",
        "EXT4-fs warning (device sda1): ext4_end_bio:314: I/O error -5 | Ext4Warning",
        "Buffer I/O error on dev sdb, logical block 0, async page read | IOError",
        "blk_update_request: I/O error, dev sda, sector 2048 op 0x0 | IOError",
        "{1}[Hardware Error]: event severity: corrected | CperHardwareErrorCorrected",
        "{1}[Hardware Error]: event severity: recoverable | CperHardwareErrorRecoverable",
        "{1}[Hardware Error]: event severity: fatal | CperHardwareErrorFatal",
        "XFS (sdb1): Log I/O Error Detected. Shutting down filesystem | XfsHasShutDown",
        "EXT4-fs (sda1): Remounting filesystem read-only | FilesystemIsReadOnly",
        "watchdog: BUG: soft lockup - CPU#3 stuck for 23s! [kworker/3:1:55] | SoftLockup",
        "NMI watchdog: Watchdog detected hard LOCKUP on cpu 5 | HardLockup",
        "rcu: INFO: rcu_sched self-detected stall on CPU | RcuStall",
        "rcu: INFO: rcu_preempt detected stalls on CPUs/tasks: | RcuStall",
        "mce: [Hardware Error]: Machine check events logged | MachineCheck",
        "EDAC MC0: 1 UE memory read error on CPU_SrcID#0 | MemoryUncorrected",
        "nvme nvme0: controller is down; will reset: CSTS=0xffffffff | NvmeReset",
        "NETDEV WATCHDOG: eth0 (e1000e): transmit queue 0 timed out 5000 ms | NicTransmitHang",
        "kubelet[812]: segfault at 0 ip 0000 sp 0000 error 4 in kubelet | DaemonSegfault",
        "nf_conntrack: nf_conntrack: table full, dropping packet | ConntrackFull",
        "Started kubelet: The Kubernetes Node Agent. | FrequentKubeletRestart,KubeletStart",
        "Started containerd.service - containerd container runtime. | ContainerdStart,FrequentContainerdRestart",
      })
  @DisplayName("A-10 the built-in rules see what kernels and services say, each by its reason")
  void seen(String line, String expected) {
    assertThat(String.join(",", reasons(line.strip(), false))).isEqualTo(expected.strip());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXT4-fs (sda1): re-mounted 5b6e r/w. Quota mode: none. | FilesystemIsReadOnly",
        "XFS (sdb1): Ending clean mount | XfsHasShutDown",
      })
  @DisplayName("B-1 and what ends it")
  void cleared(String line, String expected) {
    assertThat(reasons(line.strip(), true)).containsExactly(expected.strip());
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
