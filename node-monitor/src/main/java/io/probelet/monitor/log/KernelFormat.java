package io.probelet.monitor.log;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A kernel record that contains text chosen by a process: the name of a process, file,
 * network device or cgroup, or a mount option.
 *
 * @param text the record, with the name of a {@link Hole} in percent signs for each part that
 *     others choose
 * @param reason the reason of the built-in rule for such records; empty if a process can cause the
 *     record on a healthy node
 */
public record KernelFormat(String text, String reason) {
  /** The name of a container's cgroup. */
  public static final String CONTAINER = "0123456789abcdef".repeat(4);

  /** The cgroup of the process that a record is about. */
  private static final String OWN =
      "/kubepods/burstable/pod99999999-4f6b-4c3e-9a5b-1f2e3d4c5b6a/" + CONTAINER;

  private static final Pattern HOLE = Pattern.compile("%([A-Z]+)%");

  private static KernelFormat none(String text) {
    return new KernelFormat(text, "");
  }

  /** As written by kernels 4.19, 5.x and 6.x. */
  public static final List<KernelFormat> ALL =
      List.of(
          new KernelFormat(
              "%COMM%[4242]: segfault at 0 ip 0000000000401136 sp 00007ffd error 4 in"
                  + " %FILE%[400000+1000]",
              "DaemonSegfault"),
          new KernelFormat(
              "%COMM%[4242]: segfault at 0 ip 0000000000401136 sp 00007ffd error 4 in"
                  + " %FILE%[161e,400000+1000] likely on CPU 3 (core 1, socket 0)",
              "DaemonSegfault"),
          none(
              "%COMM%[4242]: bad frame in rt_sigreturn frame:0000 ip:7f sp:7f orax:0 in %FILE%[1+2]"),
          none(
              "%COMM%[4242]: unhandled level 2 translation fault (11) at 0x0, esr 0x92, in %FILE%[1+2]"),
          none(
              "%COMM%[4242]: vsyscall attempted with vsyscall=none ip:7f cs:33 sp:7f ax:0 si:0 di:0"),
          none("traps: %COMM%[4242] general protection fault ip:7f sp:7f error:0 in %FILE%[1+2]"),
          none("traps: %COMM%[4242] trap invalid opcode ip:7f sp:7f error:0 in %FILE%[1+2]"),
          none("potentially unexpected fatal signal 11."),
          none("CPU: 0 PID: 4242 Comm: %COMM% Not tainted 6.1.0 #1"),
          none("tmpfs: Unknown parameter '%TEXT%'"),
          none("tmpfs: Bad value for '%TEXT%'"),
          none("tmpfs: Bad mount option %TEXT%"),
          none("tmpfs: No value for mount option '%TEXT%'"),
          none("overlay: Unknown parameter '%TEXT%'"),
          none("overlayfs: unrecognized mount option \"%TEXT%\" or missing value"),
          none("overlayfs: failed to resolve '%TEXT%': -2"),
          none("fuse: Unknown parameter '%TEXT%'"),
          none("proc: unrecognized mount option \"%TEXT%\" or missing value"),
          none("cgroup: Unknown subsys name '%TEXT%'"),
          none("UDF-fs: INFO Mounting volume '%TEXT%', timestamp 2026/01/01 00:00 (1000)"),
          none("BTRFS: device label %TEXT% devid 1 transid 5 /dev/sdb scanned by %COMM% (4242)"),
          none(
              "%COMM%: page allocation failure: order:4, mode:0xcc0(GFP_KERNEL), nodemask=(null),cpuset=%CGROUP%,mems_allowed=0"),
          none("%COMM%: page allocation stalls for 10000ms, order:0, mode:0x0(), nodemask=(null)"),
          none("%COMM% invoked oom-killer: gfp_mask=0xcc0(GFP_KERNEL), order=0, oom_score_adj=0"),
          none("%COMM% cpuset=%CGROUP% mems_allowed=0"),
          none("%COMM% (4242): drop_caches: 3"),
          none("%COMM% (4242) used greatest stack depth: 10000 bytes left"),
          none("%COMM% (4242): Uses deprecated flags"),
          none("%COMM% D    0  4242      1 0x00000000"),
          none("task:%COMM% state:D stack:0 pid:4242 ppid:1 flags:0x00000000"),
          new KernelFormat("INFO: task %COMM%:4242 blocked for more than 120 seconds.", "TaskHung"),
          none("INFO: task %COMM%:4242 is blocked on a mutex likely owned by task %COMM%:1."),
          none("      Not tainted 6.1.0 %COMM%"),
          new KernelFormat(
              "watchdog: BUG: soft lockup - CPU#3 stuck for 23s! [%COMM%:4242]", "SoftLockup"),
          new KernelFormat(
              "Memory failure: 0x1: Sending SIGBUS to %COMM%:4242 due to hardware memory corruption",
              "MemoryFailure"),
          new KernelFormat(
              "NVRM: Xid (PCI:0000:3b:00): 13, pid=4242, name=%COMM%, Exception", "GpuXid"),
          new KernelFormat(
              "EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm %COMM%: reading"
                  + " directory lblock 0",
              "Ext4Error"),
          new KernelFormat(
              "EXT4-fs error (device sda1): ext4_readdir:63: inode #2: block 3: comm %COMM%: path"
                  + " /%TEXT%: bad entry in directory: %FILE%",
              "Ext4Error"),
          none(
              "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=%CGROUP%,mems_allowed=0,"
                  + "oom_memcg="
                  + OWN
                  + ",task_memcg="
                  + OWN
                  + "/%CGROUP%,task=%COMM%,pid=7,uid=65534"),
          none(
              "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=%CGROUP%,mems_allowed=0,"
                  + "global_oom,task_memcg="
                  + OWN
                  + ",task=%COMM%,pid=7,uid=65534"),
          none("Tasks in " + OWN + "/%CGROUP% are going to be killed due to memory.oom.group set"),
          none("Task in " + OWN + "/%CGROUP% killed as a result of limit of " + OWN),
          none("Memory cgroup stats for " + OWN + "/%CGROUP%: cache:0KB rss:0KB"),
          none("memory: usage 1024kB, limit 1024kB, failcnt 1 %CGROUP%"),
          new KernelFormat(
              "Memory cgroup out of memory: Killed process 9 (%COMM%) total-vm:1kB, anon-rss:1kB,"
                  + " file-rss:0kB, shmem-rss:0kB, UID:65534 pgtables:56kB oom_score_adj:0",
              "OOMKilling"),
          none("Out of memory: Kill process 9 (%COMM%) score 1000 or sacrifice child"),
          none("Memory cgroup out of memory: Kill process 9 (%COMM%) score 1 or sacrifice child"),
          none(
              "oom_reaper: reaped process 9 (%COMM%), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB"),
          none("[   4242] 65534  4242      100      100    40960        0             0 %COMM%"),
          none("[ 4242]     0  4242      100      100    40960        0             0 %COMM%"),
          none(
              "audit: type=1326 audit(1700000000.123:45): pid=4242 comm=\"%COMM%\" exe=\"/%FILE%\""
                  + " sig=31"),
          none("audit: type=1400 audit(1700000000.123:45): apparmor=\"DENIED\" name=\"/%TEXT%\""),
          none("process '%TEXT%' started with executable stack"),
          none("warning: process `%COMM%' used the deprecated sysctl system call with 1.2"),
          none("warning: `%COMM%' uses 32-bit capabilities (legacy support in use)"),
          none("capability: warning: `%COMM%' uses deprecated v2 capabilities"),
          none("%COMM%: vm86 mode not supported"),
          none("process '%COMM%' launched '/%TEXT%' with NULL argv: empty string added"),
          none("cgroup: fork rejected by pids controller in " + OWN + "/%CGROUP%"),
          none("%DEVICE%: renamed from %DEVICE%"),
          none("IPv6: ADDRCONF(NETDEV_CHANGE): %DEVICE%: link becomes ready"),
          none("device %DEVICE% entered promiscuous mode"),
          none("br0: port 1(%DEVICE%) entered blocking state"),
          none("%DEVICE%: entered promiscuous mode"),
          none("%DEVICE% (unregistering): left allmulticast mode"),
          new KernelFormat(
              "unregister_netdevice: waiting for %DEVICE% to become free. Usage count = 1",
              "UnregisterNetDevice"),
          none("netlink: 4 bytes leftover after parsing attributes in process `%COMM%'."),
          none("%COMM%: Corrupted page table at address 7f"),
          none("Code: Unable to access opcode bytes at 0x7f, %COMM%"));

  /** A part that a process chooses. */
  public enum Hole {
    /** The name of a process. */
    COMM(15, ""),
    /** The name of a file, for example of a mapped one. */
    FILE(255, "/"),
    /** A mount option, a path or a whole message. */
    TEXT(1000, ""),
    /** The name of a network device. */
    DEVICE(15, " /:"),
    /** The name of a cgroup. */
    CGROUP(255, "/");

    private final int most;
    private final String excluded;

    Hole(int most, String excluded) {
      this.most = most;
      this.excluded = excluded;
    }

    /** {@return the most characters} */
    int most() {
      return most;
    }

    /** {@return whether a record shows that character unchanged} */
    boolean takes(char c) {
      return c >= ' ' && c != 0x7f && !Character.isSurrogate(c) && excluded.indexOf(c) < 0;
    }
  }

  /**
   * A part of a format.
   *
   * @param literal fixed text; empty before a hole
   * @param hole the chosen part; null if the part is literal
   */
  record Part(String literal, @Nullable Hole hole) {}

  /** {@return the parts in their order} */
  List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    Matcher holes = HOLE.matcher(text);
    int end = 0;
    while (holes.find()) {
      parts.add(new Part(text.substring(end, holes.start()), null));
      parts.add(new Part("", Hole.valueOf(holes.group(1))));
      end = holes.end();
    }
    parts.add(new Part(text.substring(end), null));
    return parts;
  }

  /** {@return the record with a harmless name} */
  String innocent() {
    return HOLE.matcher(text).replaceAll("x");
  }
}
