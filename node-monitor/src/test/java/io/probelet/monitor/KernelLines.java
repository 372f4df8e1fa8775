package io.probelet.monitor;

import java.util.List;

/** Lines of kernels and systemd, each with its reason by the built-in rules. */
public final class KernelLines {
  /** Lines of kernels 4.19, 5.x and 6.x. */
  public static final List<Example> KERNEL =
      List.of(
          new Example(
              "Killed process 1234 (foo) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB",
              "OOMKilling"),
          new Example("INFO: task kworker/u8:2:91 blocked for more than 120 seconds.", "TaskHung"),
          new Example(
              "unregister_netdevice: waiting for eth0 to become free. Usage count = 1",
              "UnregisterNetDevice"),
          new Example(
              "BUG: kernel NULL pointer dereference, address: 0000000000000008", "KernelOops"),
          new Example(
              "BUG: unable to handle page fault for address: ffffb0c4c0a3f000", "KernelOops"),
          new Example("divide error: 0000 [#1] SMP PTI", "KernelOops"),
          new Example("kernel BUG at fs/ext4/inode.c:2721!", "KernelOops"),
          new Example("general protection fault: 0000 [#1] SMP PTI", "KernelOops"),
          new Example(
              "Oops: general protection fault, probably for non-canonical address 0xdead000000000108: 0000 [#1] PREEMPT SMP",
              "KernelOops"),
          new Example(
              "Unable to handle kernel NULL pointer dereference at virtual address 0000000000000008",
              "KernelOops"),
          new Example(
              "Unable to handle kernel paging request at virtual address ffff80001234f000",
              "KernelOops"),
          new Example(
              "Internal error: synchronous external abort: 0000000096000010 [#1] PREEMPT SMP",
              "KernelOops"),
          new Example(
              "Internal error: Oops - undefined instruction: 0000000002000000 [#1] SMP",
              "KernelOops"),
          new Example(
              "INFO: task jbd2/dm-0-8:291 blocked in I/O wait for more than 122 seconds.",
              "TaskHung"),
          new Example(
              "unregister_netdevice: waiting for veth-a.100 to become free. Usage count = 2",
              "UnregisterNetDevice"),
          new Example(
              "Memory failure: 0x1850602: Sending SIGBUS to fsdax:8457 due to hardware memory corruption",
              "MemoryFailure"),
          new Example(
              "Memory failure: 0x104000: recovery action for huge page: Recovered",
              "MemoryFailure"),
          new Example(
              "NVRM: Xid (PCI:0000:3b:00): 79, pid=1122, GPU has fallen off the bus.", "GpuXid"),
          new Example("NVRM: Xid (0000:03:00): 13, Graphics Exception", "GpuXid"),
          new Example("blk_update_request: I/O error, dev dm-3, sector 2048 op 0x0", "IOError"),
          new Example(
              "EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading",
              "Ext4Error"),
          new Example(
              "EXT4-fs warning (device sda1): ext4_end_bio:314: I/O error -5", "Ext4Warning"),
          new Example("Buffer I/O error on dev sdb, logical block 0, async page read", "IOError"),
          new Example("blk_update_request: I/O error, dev sda, sector 2048 op 0x0", "IOError"),
          new Example(
              "{1}[Hardware Error]: event severity: corrected", "CperHardwareErrorCorrected"),
          new Example(
              "{1}[Hardware Error]: event severity: recoverable", "CperHardwareErrorRecoverable"),
          new Example("{1}[Hardware Error]: event severity: fatal", "CperHardwareErrorFatal"),
          new Example(
              "XFS (sdb1): Log I/O Error Detected. Shutting down filesystem", "XfsHasShutDown"),
          new Example(
              "XFS (dm-0): Metadata I/O Error (0x1) detected at xfs_trans_read_buf_map+0x1f0/0x2d0 [xfs] (fs/xfs/xfs_trans_buf.c:296).  Shutting down filesystem.",
              "XfsHasShutDown"),
          new Example(
              "XFS (sda6): Filesystem has been shut down due to log error (0x2).",
              "XfsHasShutDown"),
          new Example("EXT4-fs (sda1): Remounting filesystem read-only", "FilesystemIsReadOnly"),
          new Example(
              "EXT3-fs (sda1): error: remounting filesystem read-only", "FilesystemIsReadOnly"),
          new Example("F2FS-fs (dm-1): Remounting filesystem read-only", "FilesystemIsReadOnly"),
          new Example("Remounting filesystem read-only", "FilesystemIsReadOnly"),
          new Example("BTRFS info (device sdf): forced readonly", "FilesystemIsReadOnly"),
          new Example(
              "BTRFS info (device nvme0n1p2 state EA): forced readonly", "FilesystemIsReadOnly"),
          new Example(
              "BTRFS info (device dm-75: state E): forced readonly", "FilesystemIsReadOnly"),
          new Example(
              "watchdog: BUG: soft lockup - CPU#3 stuck for 23s! [kworker/3:1:55]", "SoftLockup"),
          new Example("NMI watchdog: Watchdog detected hard LOCKUP on cpu 5", "HardLockup"),
          new Example("rcu: INFO: rcu_sched self-detected stall on CPU", "RcuStall"),
          new Example("rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:", "RcuStall"),
          new Example(
              "rcu: INFO: rcu_sched detected expedited stalls on CPUs/tasks: { 14-... 41-... } 88575 jiffies s: 2325 root: 0x5/.",
              "RcuStall"),
          new Example("mce: [Hardware Error]: Machine check events logged", "MachineCheck"),
          new Example("EDAC MC0: 1 UE memory read error on CPU_SrcID#0", "MemoryUncorrected"),
          new Example("nvme nvme0: controller is down; will reset: CSTS=0xffffffff", "NvmeReset"),
          new Example(
              "NETDEV WATCHDOG: eth0 (e1000e): transmit queue 0 timed out 5000 ms",
              "NicTransmitHang"),
          new Example(
              "kubelet[812]: segfault at 0 ip 00007f21 sp 00007ffc error 4 in kubelet[400000+1000]",
              "DaemonSegfault"),
          new Example("nf_conntrack: nf_conntrack: table full, dropping packet", "ConntrackFull"),
          new Example(
              "Out of memory: Killed process 1234 (a b) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB, UID:1000 pgtables:56kB oom_score_adj:-998",
              "OOMKilling"),
          new Example(
              "Memory cgroup out of memory: Killed process 7 (java) total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB, UID:0 pgtables:24576 oom_score_adj:968",
              "OOMKilling"),
          new Example(
              "Killed process 3127 (java), UID 0, total-vm:1kB, anon-rss:1kB, file-rss:0kB, shmem-rss:0kB",
              "OOMKilling"),
          new Example(
              "BUG: unable to handle kernel paging request at ffffb0c4c0a3f000", "KernelOops"),
          new Example(
              "BUG: unable to handle kernel NULL pointer dereference at           (null)",
              "KernelOops"),
          new Example("Oops: divide error: 0000 [#1] PREEMPT_{RT,(full)} SMP NOPTI", "KernelOops"),
          new Example(
              "EXT4-fs error (device dm-0) in ext4_reserve_inode_write:5881: IO failure",
              "Ext4Error"),
          new Example(
              "EXT4-fs error (device sda1): ext4_mb_generate_buddy:747: group 1, block bitmap and bg descriptor inconsistent: 1 vs 2 free clusters",
              "Ext4Error"),
          new Example(
              "I/O error, dev nvme0n1, sector 2048 op 0x1:(WRITE) flags 0x800 phys_seg 1 prio class 2",
              "IOError"),
          new Example("print_req_error: I/O error, dev sda, sector 2048 flags 80700", "IOError"),
          new Example(
              "EDAC MC0: 1 CE memory read error on CPU_SrcID#0_Ha#0_Chan#0_DIMM#0 (channel:0 slot:0 page:0x12345 offset:0x0 grain:32 syndrome:0x0)",
              "MemoryReadError"),
          new Example("[Hardware Error]: event severity: fatal", "CperHardwareErrorFatal"),
          new Example(
              "NMI watchdog: BUG: soft lockup - CPU#0 stuck for 22s! [a b c:12]", "SoftLockup"),
          new Example("watchdog: Watchdog detected hard LOCKUP on cpu 5", "HardLockup"),
          new Example("watchdog: CPU1: Watchdog detected hard LOCKUP on cpu 5", "HardLockup"),
          new Example("rcu: INFO: rcu_tasks detected stalls on tasks:", "RcuStall"),
          new Example(
              "mce: [Hardware Error]: CPU 3: Machine Check Exception: 5 Bank 5: be00000000800400",
              "MachineCheck"),
          new Example("nvme nvme0: I/O 12 QID 3 timeout, reset controller", "NvmeReset"),
          new Example(
              "nvme nvme0: I/O tag 12 (1002) opcode 0x2 (I/O Cmd) QID 3 timeout, reset controller",
              "NvmeReset"),
          new Example(
              "nvme nvme0: controller is down; will reset: CSTS=0x3, PCI_STATUS read failed (134)",
              "NvmeReset"),
          new Example(
              "NETDEV WATCHDOG: eth0 (e1000e): transmit queue 0 timed out", "NicTransmitHang"),
          new Example(
              "e1000e 0000:00:1f.6 eth0: NETDEV WATCHDOG: CPU: 3: transmit queue 0 timed out 5376 ms",
              "NicTransmitHang"),
          new Example(
              "NVRM: Xid (PCI:0000:3b:00): 31, pid='<unknown>', name=<unknown>, Ch 00000008",
              "GpuXid"),
          new Example(
              "kubelet[812]: segfault at 0 ip 00000000004f1000 sp 00007ffc0 error 4 in kubelet[1000,400000+1000] likely on CPU 3 (core 1, socket 0)",
              "DaemonSegfault"),
          new Example(
              "containerd-shim[812]: segfault at 7f00 ip 00007f00 sp 00007f01 error 15",
              "DaemonSegfault"),
          new Example(
              "runc:[2:INIT][812]: segfault at 0 ip 00007f00 sp 00007f01 error 15 in runc[400000+1000]",
              "DaemonSegfault"),
          new Example("nf_conntrack: table full, dropping packet", "ConntrackFull"),
          new Example(
              "nf_conntrack: nf_conntrack: table full in netns 4026531840, dropping packet",
              "ConntrackFull"),
          new Example("NILFS (sdb): Remounting filesystem read-only", "FilesystemIsReadOnly"),
          new Example("BTRFS (device sdf): forced readonly", "FilesystemIsReadOnly"),
          new Example(
              "XFS (sdb1): User initiated shutdown received. Shutting down filesystem",
              "XfsHasShutDown"),
          new Example(
              "XFS (sdb1): Corruption of in-memory data detected.  Shutting down filesystem",
              "XfsHasShutDown"));

  /** Lines of systemd. */
  public static final List<Example> SYSTEMD =
      List.of(
          new Example(
              "Started kubelet: The Kubernetes Node Agent.", "FrequentKubeletRestart,KubeletStart"),
          new Example(
              "Started kubelet.service - kubelet: The Kubernetes Node Agent.",
              "FrequentKubeletRestart,KubeletStart"),
          new Example("Started Kubernetes Kubelet.", "FrequentKubeletRestart,KubeletStart"),
          new Example("Started Kubernetes Kubelet Server.", "FrequentKubeletRestart,KubeletStart"),
          new Example(
              "Started kubelet.service - Kubernetes Kubelet Server.",
              "FrequentKubeletRestart,KubeletStart"),
          new Example("Started kubelet.service.", "FrequentKubeletRestart,KubeletStart"),
          new Example(
              "Started containerd container runtime.", "ContainerdStart,FrequentContainerdRestart"),
          new Example(
              "Started containerd.service - containerd container runtime.",
              "ContainerdStart,FrequentContainerdRestart"),
          new Example("Started containerd.service.", "ContainerdStart,FrequentContainerdRestart"));

  private KernelLines() {}

  /**
   * A record.
   *
   * @param reasons the reasons of the matching rules, in order, joined by commas
   */
  public record Example(String line, String reasons) {}
}
