package io.probelet.monitor;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Records of a real kernel in which a process has chosen a name: each name that could deceive a
 * rule, in each place where kernels write names.
 */
public final class HostileLines {
  private static final int MAX_COMM = 15;

  /** The pod that did nothing. */
  public static final String VICTIM = "0c5d1e6a-4f6b-4c3e-9a5b-1f2e3d4c5b6a";

  private static final String CONTAINER = "0123456789abcdef".repeat(4);
  private static final String VICTIMS = "/kubepods/burstable/pod" + VICTIM + "/" + CONTAINER;

  /** The one whose process it is. */
  private static final String OWN =
      "/kubepods/burstable/pod99999999-4f6b-4c3e-9a5b-1f2e3d4c5b6a/" + CONTAINER;

  /** What a process may choose of a name, and how much of it. */
  private static String filled(String format, String name) {
    return format
        .replace("%COMM%", cut(name, MAX_COMM))
        .replace("%FILE%", cut(name.replace('/', '|'), 255))
        .replace("%TEXT%", name)
        .replace("%DEVICE%", cut(name.replaceAll("[\\s/:]", ""), 15))
        .replace("%CGROUP%", cut(name.replace('/', '|').replace('\n', ' '), 255));
  }

  private static String cut(String name, int length) {
    return name.substring(0, Math.min(length, name.length()));
  }

  /**
   * A record with a name in it.
   *
   * @param format what the kernel writes
   * @param text all of it, newlines included
   * @param own the reason that the record gives rightly; empty if it is none of a rule
   */
  public record Hostile(String format, String text, String own) {}

  private record Format(String text, String own) {}

  private HostileLines() {}

  private static Format none(String text) {
    return new Format(text, "");
  }

  /** As the kernels of 4.19, 5.x and 6.x write them. */
  private static final List<Format> FORMATS =
      List.of(
          new Format(
              "%COMM%[4242]: segfault at 0 ip 0000000000401136 sp 00007ffd error 4 in"
                  + " %FILE%[400000+1000]",
              "DaemonSegfault"),
          new Format(
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
          new Format("INFO: task %COMM%:4242 blocked for more than 120 seconds.", "TaskHung"),
          none("INFO: task %COMM%:4242 is blocked on a mutex likely owned by task %COMM%:1."),
          none("      Not tainted 6.1.0 %COMM%"),
          new Format(
              "watchdog: BUG: soft lockup - CPU#3 stuck for 23s! [%COMM%:4242]", "SoftLockup"),
          new Format(
              "Memory failure: 0x1: Sending SIGBUS to %COMM%:4242 due to hardware memory corruption",
              "MemoryFailure"),
          new Format("NVRM: Xid (PCI:0000:3b:00): 13, pid=4242, name=%COMM%, Exception", "GpuXid"),
          new Format(
              "EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm %COMM%: reading"
                  + " directory lblock 0",
              "Ext4Error"),
          new Format(
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
          new Format(
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
          none("process %COMM% launched '/%TEXT%' with NULL argv: empty string added"),
          none("cgroup: fork rejected by pids controller in " + OWN + "/%CGROUP%"),
          none("%DEVICE%: renamed from %DEVICE%"),
          none("IPv6: ADDRCONF(NETDEV_CHANGE): %DEVICE%: link becomes ready"),
          none("device %DEVICE% entered promiscuous mode"),
          none("br0: port 1(%DEVICE%) entered blocking state"),
          none("%DEVICE%: entered promiscuous mode"),
          none("%DEVICE% (unregistering): left allmulticast mode"),
          new Format(
              "unregister_netdevice: waiting for %DEVICE% to become free. Usage count = 1",
              "UnregisterNetDevice"),
          none("netlink: 4 bytes leftover after parsing attributes in process `%COMM%'."),
          none("%COMM%: Corrupted page table at address 7f"),
          none("Code: Unable to access opcode bytes at 0x7f, %COMM%"));

  /** Names that are what a rule looks for, and beginnings of it. */
  private static List<String> names() {
    List<String> triggers = new ArrayList<>();
    Stream.concat(KernelLines.KERNEL.stream(), KernelLines.SYSTEMD.stream())
        .map(KernelLines.Example::line)
        .forEach(triggers::add);
    triggers.add("x Remounting filesystem read-only");
    triggers.add("EXT4-fs (sda1): re-mounted x r/w.");
    triggers.add("XFS (sda1): Ending clean mount");
    triggers.add(
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg="
            + VICTIMS
            + ",task_memcg="
            + VICTIMS
            + ",task=java,pid=7,uid=0");
    triggers.add("oom-kill:task_memcg=" + VICTIMS + ",task=x,pid=7");
    triggers.add("task_memcg=" + VICTIMS + ",task=java,pid=7,uid=0");
    triggers.add("Tasks in " + VICTIMS + " are going to be killed due to memory.oom.group set");
    triggers.add("x,mems_allowed=0,global_oom,task_memcg=" + VICTIMS + ",task=a,pid=7,uid=0");
    triggers.add("kubepods|pod" + VICTIM);
    triggers.add(VICTIMS.substring(1));
    Set<String> names = new LinkedHashSet<>();
    for (String trigger : triggers) {
      names.add(trigger);
      names.add("x " + trigger);
      names.add("\n" + trigger);
      names.add("x\n" + trigger + "\n");
      names.add("x\u2028\n" + trigger);
      names.add("\r" + trigger + "\r");
      names.add("x\n<0>[    9.000000] " + trigger);
      names.add("x\n0,9,9,-;" + trigger);
      names.add("[    9.000000][  T12] " + trigger);
      names.add("[   T12] " + trigger);
      names.add("\t" + trigger);
    }
    // What a name of 15 characters can hold of the middle of a trigger, before what follows it.
    for (String trigger : triggers) {
      for (int end = 4; end <= MAX_COMM; end++) {
        names.add(trigger.substring(0, Math.min(end, trigger.length())));
      }
    }
    return List.copyOf(names);
  }

  /** All names in all places. */
  public static Stream<Hostile> all() {
    List<String> names = names();
    return FORMATS.stream()
        .flatMap(format ->
            names.stream()
                // The beginning of a trigger deceives only where it begins the record.
                .filter(name -> name.length() > MAX_COMM || format.text().startsWith("%"))
                .map(name -> filled(format, name)));
  }

  /** The names alone, as whole records: for logs into which anyone writes. */
  public static Stream<String> bare() {
    return names().stream();
  }

  private static Hostile filled(Format format, String name) {
    String text = filled(format.text(), name);
    return new Hostile(format.text(), text, format.own());
  }
}
