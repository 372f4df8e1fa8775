package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.monitor.MonitorFiles;
import io.probelet.monitor.availability.Obstacle;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.check.Kernel.ClockState;
import io.probelet.monitor.check.Kernel.Room;
import io.probelet.monitor.check.NodeCheckResult.Problem;
import io.probelet.monitor.check.NodeCheckResult.Unknown;
import io.probelet.monitor.rule.CheckSpec;
import io.probelet.monitor.rule.Monitor;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeChecksTest {
  private static final String MOUNTS =
      """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro
      23 22 8:2 / /data\\040disk rw,noatime - xfs /dev/sdb1 rw
      24 22 8:3 / /cdrom ro - ext4 /dev/sr0 ro
      25 22 0:5 / /proc rw - proc proc rw
      26 22 8:2 /sub /elsewhere rw - xfs /dev/sdb1 rw
      27 22 8:9 / /var/lib/kubelet/pods/1/volumes/x rw - ext4 /dev/sdz rw
      """;

  @TempDir Path root;
  private PretendedNode node;

  @BeforeEach
  void start() {
    node = new PretendedNode(root).file("/proc/1/mountinfo", MOUNTS);
  }

  /** Looks once, as a rule of a file says it. */
  private NodeCheckResult run(String rule) throws Exception {
    Monitor.Checks monitor =
        (Monitor.Checks) MonitorFiles.read("{'plugin':'check','rules':[{" + rule + "}]}");
    return NodeChecks.of(monitor.rules().getFirst().check(), node.machine()).run();
  }

  private void rooms(String mount, Room room) {
    node.rooms.put(node.seen(mount), room);
  }

  @Test
  @DisplayName("B-9 disk space: usage as in df, each disk once, without pod volumes")
  void diskSpace() throws Exception {
    rooms("/", new Room(1, 100, 20, 15, 0, 0));
    rooms("/data disk", new Room(1, 100, 9, 9, 0, 0));
    assertThat(run("'check':'disk-space'"))
        .isEqualTo(new Problem("more than 90 % of the space is used on /data disk"));
    assertThat(run("'check':'disk-space','maxUsedPercent':84").getClass()).isEqualTo(Problem.class);
    assertThat(run("'check':'disk-space','mounts':['/'],'maxUsedPercent':85"))
        .isEqualTo(NodeCheckResult.OK);
    assertThat(run("'check':'disk-space','mounts':['/'],'maxUsedPercent':84"))
        .isEqualTo(new Problem("more than 84 % of the space is used on /"));
  }

  @Test
  @DisplayName("B-9 inodes: a filesystem without an inode limit is healthy")
  void inodes() throws Exception {
    rooms("/", new Room(1, 1, 1, 1, 1000, 99));
    rooms("/data disk", new Room(1, 1, 1, 1, 0, 0));
    assertThat(run("'check':'disk-inodes'"))
        .isEqualTo(new Problem("more than 90 % of the inodes are used on /"));
    rooms("/", new Room(1, 1, 1, 1, 1000, 100));
    assertThat(run("'check':'disk-inodes'")).isEqualTo(NodeCheckResult.OK);
  }

  @Test
  @DisplayName("B-9 an unreadable mount is Unknown")
  void unaskable() {
    assertThatThrownBy(() -> run("'check':'disk-space','mounts':['/gone']"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/gone");
  }

  @Test
  @DisplayName("B-9 write, fsync and read leave nothing behind")
  void diskIo() throws Exception {
    Files.createDirectories(root.resolve("data"));
    assertThat(run("'check':'disk-io','folder':'/data'")).isEqualTo(NodeCheckResult.OK);
    assertThat(run("'check':'disk-io'")).isEqualTo(NodeCheckResult.OK);
    assertThat(root.resolve("data")).isEmptyDirectory();
    assertThat(root.resolve("state")).isEmptyDirectory();
    Files.createDirectories(root.resolve("data/.probelet-disk-io/x"));
    assertThat(run("'check':'disk-io','folder':'/data'"))
        .isInstanceOfSatisfying(
            Problem.class,
            problem -> assertThat(problem.message()).startsWith("disk test in " + root + "/data"));
  }

  private static NodeCheckResult devices(String problem, String... well) {
    return new NodeCheckResult.Devices(Set.of(well), problem);
  }

  @Test
  @DisplayName(
      "B-9, B-15 read-only: turned read-only by an error, or configured as writable; with "
          + "covered devices")
  void readOnly() throws Exception {
    assertThat(run("'check':'read-only-mounts'")).isEqualTo(devices("", "sda1", "sdb1", "sdz"));
    assertThat(run("'check':'read-only-mounts','mounts':['/','/cdrom']"))
        .isEqualTo(devices("read-only: /cdrom", "sda1", "sdb1", "sdz"));
    node.file("/proc/1/mountinfo", MOUNTS.replace("/dev/sdb1 rw", "/dev/sdb1 ro"));
    assertThat(run("'check':'read-only-mounts'"))
        .isEqualTo(devices("read-only: /data disk, /elsewhere", "sda1", "sdz"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "rw,errors=remount-ro |",
        "rw,emergency_ro,errors=remount-ro | read-only: /",
        "rw,shutdown,errors=remount-ro | read-only: /",
        "ro,errors=remount-ro | read-only: /"
      })
  @DisplayName("B-9 the options of a read-only ext4 on old and new kernels")
  void givenUp(String options, String problem) throws Exception {
    node.file("/proc/1/mountinfo", "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 " + options);
    assertThat(run("'check':'read-only-mounts'"))
        .isEqualTo(problem == null ? devices("", "sda1") : devices(problem));
  }

  @Test
  @DisplayName("B-15 a disk is also known by its name in the kernel's log")
  void namesOfDisks() throws Exception {
    node.file(
        "/proc/1/mountinfo",
        """
        22 1 253:0 / / rw - ext4 /dev/mapper/vg-root rw
        23 1 8:1 / /boot rw - ext4 /dev/root rw
        24 1 0:44 / /data rw - btrfs /dev/sdc rw
        """);
    Path block = Files.createDirectories(node.seen("/sys/dev/block"));
    Files.createSymbolicLink(block.resolve("253:0"), Path.of("../../devices/virtual/block/dm-0"));
    Files.createSymbolicLink(block.resolve("8:1"), Path.of("../../devices/x/block/sda/sda1"));
    assertThat(run("'check':'read-only-mounts'"))
        .isEqualTo(devices("", "vg-root", "dm-0", "root", "sda1", "sdc"));
  }

  @Test
  @DisplayName("B-5 a missing mount that must be writable is Unknown")
  void notMounted() throws Exception {
    assertThat(run("'check':'read-only-mounts','mounts':['/','/gone']"))
        .isEqualTo(new Unknown("nothing is mounted at /gone"));
  }

  @ParameterizedTest
  @CsvSource({
    "memory, full, 25.00, ''",
    "memory, full, 25.01, all tasks stalled on memory more than 25 % of the time (avg60)",
    "memory, some, 99.00, ''",
    "io, full, 80.00, all tasks stalled on io more than 75 % of the time (avg60)",
    "cpu, some, 96.00, some tasks stalled on cpu more than 95 % of the time (avg300)"
  })
  @DisplayName("B-9 pressure follows the kernel's averages")
  void pressure(String resource, String line, String percent, String message) throws Exception {
    String text = "";
    for (String each : new String[] {"some", "full"}) {
      String value = each.equals(line) ? percent : "0.00";
      text += each + " avg10=0.00 avg60=" + value + " avg300=" + value + " total=7\n";
    }
    node.file("/proc/pressure/" + resource, text);
    assertThat(run("'check':'" + resource + "-pressure'"))
        .isEqualTo(message.isEmpty() ? NodeCheckResult.OK : new Problem(message));
  }

  @Test
  @DisplayName("B-5 a kernel without PSI makes the check unavailable")
  void withoutPressure() {
    assertThatThrownBy(() -> run("'check':'io-pressure'"))
        .hasMessage(
            "kernel reports no pressure (PSI): " + root + "/proc/pressure/io does not exist");
  }

  @Test
  @DisplayName("B-9 process and thread IDs run out")
  void pids() throws Exception {
    node.file("/proc/sys/kernel/pid_max", "4194304\n")
        .file("/proc/sys/kernel/threads-max", "1000\n")
        .file("/proc/loadavg", "0.1 0.2 0.3 2/900 12345\n");
    assertThat(run("'check':'pids'")).isEqualTo(NodeCheckResult.OK);
    node.file("/proc/loadavg", "0.1 0.2 0.3 2/901 12345\n");
    assertThat(run("'check':'pids'"))
        .isEqualTo(new Problem("more than 90 % of the process and thread IDs are used"));
    node.file("/proc/loadavg", "odd\n");
    assertThatThrownBy(() -> run("'check':'pids'")).isInstanceOf(IOException.class);
  }

  @Test
  @DisplayName("B-9 values of a real kernel are read completely")
  void realNumbers() throws Exception {
    assertThat(KernelFile.number(Path.of("/proc/sys/kernel/pid_max"))).isGreaterThan(300);
    assertThat(KernelFile.words(Path.of("/proc/sys/fs/file-nr"))).hasSize(3);
    assertThat(KernelFile.number(Path.of("/proc/sys/fs/file-nr"), 2)).isGreaterThan(1000);
    assertThat(KernelFile.words(Path.of("/proc/loadavg"))).hasSize(5);
  }

  @Test
  @DisplayName("B-9 open files run out, where the kernel limits them at all")
  void openFiles() throws Exception {
    node.file("/proc/sys/fs/file-nr", "950\t0\t1000\n");
    assertThat(run("'check':'open-files'"))
        .isEqualTo(new Problem("more than 90 % of the kernel's file handles are used"));
    node.file("/proc/sys/fs/file-nr", "950\t0\t9223372036854775807\n");
    assertThat(run("'check':'open-files'")).isEqualTo(NodeCheckResult.OK);
    node.file("/proc/sys/fs/file-nr", "950\t0\t18446744073709551615\n");
    assertThat(run("'check':'open-files'")).isEqualTo(NodeCheckResult.OK);
  }

  @Test
  @DisplayName("B-9 zombies are counted whatever their names")
  void zombies() throws Exception {
    for (int pid = 1; pid <= 12; pid++) {
      node.file("/proc/" + pid + "/stat", pid + " (a) S b) Z 1 1 0");
    }
    node.file("/proc/77/stat", "77 (x) Z y) S 1 1 0").file("/proc/self/stat", "1 (s) Z 1");
    assertThat(run("'check':'zombies','most':12")).isEqualTo(NodeCheckResult.OK);
    assertThat(run("'check':'zombies','most':11"))
        .isEqualTo(new Problem("more than 11 zombie processes"));
  }

  @Test
  @DisplayName("B-9 connection tracking: without a table it cannot be full")
  void conntrack() throws Exception {
    Files.createDirectories(node.seen("/proc/sys/net"));
    assertThat(run("'check':'conntrack'")).isEqualTo(NodeCheckResult.OK);
    node.file("/proc/sys/net/netfilter/nf_conntrack_count", "91\n")
        .file("/proc/sys/net/netfilter/nf_conntrack_max", "100\n");
    assertThat(run("'check':'conntrack'"))
        .isEqualTo(new Problem("more than 90 % of the connection tracking entries are used"));
  }

  @Test
  @DisplayName("B-9 the clock: not synchronized, or with a large offset")
  void clock() throws Exception {
    assertThat(run("'check':'clock'")).isEqualTo(NodeCheckResult.OK);
    node.clock = new ClockState(true, Duration.ofMillis(501));
    assertThat(run("'check':'clock'")).isEqualTo(new Problem("clock offset exceeds 500ms"));
    node.clock = new ClockState(false, Duration.ZERO);
    assertThat(run("'check':'clock'"))
        .isEqualTo(new Problem("clock is not synchronized; check chrony or systemd-timesyncd"));
  }

  @ParameterizedTest
  @CsvSource({
    "00000000 0102000A 0003, '', true",
    "00000000 0102000A 0203, '', false",
    "00000000 0102000A 0002, '', false",
    "0002000A 00000000 0001, '', false",
    "0002000A 00000000 0001, 00000003 eth0, true",
    "0002000A 00000000 0001, 00200200 lo, false"
  })
  @DisplayName("B-9 a default route by IPv4 or IPv6")
  void defaultRoute(String four, String six, boolean there) throws Exception {
    String mask = four.startsWith("0000") ? "00000000" : "00FFFFFF";
    node.file(
        "/proc/net/route",
        "Iface\tDestination\tGateway\tFlags\n"
            + "eth0\t"
            + four.replace(' ', '\t')
            + "\t0\t0\t0\t"
            + mask
            + "\t0\t0\t0\n");
    if (!six.isEmpty()) {
      String zeros = "0".repeat(32);
      String[] words = six.split(" ", -1);
      node.file(
          "/proc/net/ipv6_route",
          "%s 00 %s 00 %s 00000400 00000001 00000000 %s %8s%n"
              .formatted(zeros, zeros, "fe80" + "0".repeat(28), words[0], words[1]));
    }
    assertThat(run("'check':'default-route'"))
        .isEqualTo(there ? NodeCheckResult.OK : new Problem("no default route for IPv4 or IPv6"));
  }

  @Test
  @DisplayName("B-9 too many routes are an error, not a missing default route")
  void manyRoutes() throws Exception {
    Path routes = Files.createDirectories(node.seen("/proc/net")).resolve("route");
    try (BufferedWriter out = Files.newBufferedWriter(routes)) {
      for (int line = 0; line <= KernelFile.MAX_LINES; line++) {
        out.write("e\t1\t0\t3\t0\t0\t0\tF\n");
      }
    }
    assertThatThrownBy(() -> run("'check':'default-route'"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("/proc/net/route exceeds the limit of 2000000 lines");
  }

  @Test
  @DisplayName("B-9 a reboot is required while the marker file exists")
  void reboot() throws Exception {
    Files.createDirectories(node.seen("/run"));
    assertThat(run("'check':'reboot-required'")).isEqualTo(NodeCheckResult.OK);
    node.file("/run/reboot-required", "*** System restart required ***\n");
    assertThat(run("'check':'reboot-required'"))
        .isEqualTo(new Problem("reboot required: /run/reboot-required exists"));
    assertThat(run("'check':'reboot-required','files':['/run/other']"))
        .isEqualTo(NodeCheckResult.OK);
  }

  @Test
  @DisplayName("A-10 a recent kernel panic in pstore is found, an oops is not")
  void panic() throws Exception {
    node.filesystems.put(node.seen("/sys/fs/pstore"), "pstore");
    record(node, "/sys/fs/pstore/dmesg-efi-1", "Oops#1 Part1\n", Duration.ofHours(1));
    record(node, "/var/lib/systemd/pstore/170/dmesg.txt", "Panic#1\n", Duration.ofHours(25));
    assertThat(run("'check':'kernel-panic'")).isEqualTo(NodeCheckResult.OK);
    record(node, "/sys/fs/pstore/dmesg-efi-2", "Panic#2 Part1\n", Duration.ofHours(1));
    assertThat(run("'check':'kernel-panic'"))
        .isEqualTo(new Problem("kernel panic recorded in " + root + "/sys/fs/pstore"));
  }

  @Test
  @DisplayName("B-17 without a usable pstore the check is unavailable, not OK")
  void noStore() throws Exception {
    assertUnavailable("'check':'kernel-panic'", "pstore is not mounted on ");
    Path store = Files.createDirectories(node.seen("/sys/fs/pstore"));
    node.filesystems.put(store, "sysfs");
    assertUnavailable("'check':'kernel-panic'", "pstore is not mounted on " + store);
    node.filesystems.put(store, "pstore");
    node.file("/sys/module/pstore/parameters/backend", "(null)\n");
    assertUnavailable("'check':'kernel-panic'", "pstore has no backend");
    record(node, "/var/lib/systemd/pstore/170/dmesg.txt", "Panic#1\n", Duration.ofHours(1));
    assertThat(run("'check':'kernel-panic'").getClass())
        .as("what was found is there all the same")
        .isEqualTo(Problem.class);
    Files.delete(node.seen("/var/lib/systemd/pstore/170/dmesg.txt"));
    node.file("/sys/module/pstore/parameters/backend", "efi_pstore\n");
    assertThat(run("'check':'kernel-panic'")).isEqualTo(NodeCheckResult.OK);
  }

  private void assertUnavailable(String rule, String why) {
    assertThatThrownBy(() -> run(rule))
        .hasMessageStartingWith(why)
        .isInstanceOfSatisfying(
            UnavailableException.class,
            unavailable -> assertThat(unavailable.obstacle()).isEqualTo(Obstacle.NOT_THERE));
  }

  @Test
  @DisplayName("B-17 an empty folder in place of the node's root or /proc is no evidence")
  void emptyRoot() throws Exception {
    Files.createDirectories(node.seen("/run"));
    node.file("/proc/sys/fs/inotify/max_user_instances", "1")
        .file("/proc/sys/fs/inotify/max_user_watches", "1");
    Files.delete(node.seen("/proc/1/mountinfo"));
    Files.delete(node.seen("/proc/1"));
    for (String check :
        List.of(
            "disk-space",
            "disk-inodes",
            "read-only-mounts",
            "zombies",
            "inotify",
            "certificates",
            "systemd-units",
            "reboot-required",
            "kernel-panic")) {
      assertUnavailable("'check':'" + check + "'", root + "/proc does not show the node");
    }
  }

  @Test
  @DisplayName("B-17 a missing folder, or a file in its place, makes the check unavailable")
  void noFolder() throws Exception {
    assertThatThrownBy(() -> run("'check':'reboot-required'"))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessage(root + "/run");
    assertThatThrownBy(() -> run("'check':'conntrack'")).isInstanceOf(NoSuchFileException.class);
    node.file("/proc/1/mountinfo", "");
    assertThatThrownBy(() -> run("'check':'read-only-mounts'"))
        .hasMessage(root + "/proc/1/mountinfo lists no mounts");
    node.file("/proc/1/mountinfo", "25 22 0:5 / /proc rw - proc proc rw\n");
    assertUnavailable("'check':'disk-space'", "no disk filesystem is mounted");
  }

  @Test
  @DisplayName("B-15 a mount invisible in the container is not mistaken for another disk")
  void notPropagated() throws Exception {
    rooms("/", new Room(1, 100, 50, 50, 0, 0));
    rooms("/data disk", new Room(1, 100, 50, 50, 0, 0));
    String own = MOUNTS.replace(" / / ", " / " + root + " ");
    node.file("/proc/self/mountinfo", own.replace("/data\\040disk", root + "/data\\040disk"));
    assertThat(run("'check':'disk-space'")).isEqualTo(NodeCheckResult.OK);
    node.file("/proc/self/mountinfo", own);
    assertThat(run("'check':'disk-space'"))
        .isEqualTo(
            new Unknown(
                "cannot see the node's mount at /data disk;"
                    + " requires mountPropagation: HostToContainer"));
    rooms("/", new Room(1, 100, 5, 5, 0, 0));
    assertThat(run("'check':'disk-space'"))
        .isEqualTo(new Problem("more than 90 % of the space is used on /"));
    node.file("/proc/1/mountinfo", MOUNTS + "30 23 8:7 / /data\\040disk rw - ext4 /dev/sdc rw\n");
    node.file(
        "/proc/self/mountinfo",
        own + "30 23 8:7 / %s/data\\040disk rw - ext4 /dev/sdc rw\n".formatted(root));
    assertThat(run("'check':'disk-space'"))
        .as("a mount that another one hides is asked nothing")
        .isEqualTo(new Problem("more than 90 % of the space is used on /"));
  }

  private static void record(PretendedNode node, String file, String text, Duration ago)
      throws Exception {
    node.file(file, text);
    Files.setLastModifiedTime(node.seen(file), FileTime.from(PretendedNode.NOW.minus(ago)));
  }

  @Test
  @DisplayName("B-9 the runtime: no answer, not ready, slow, healthy")
  void runtime() throws Exception {
    String rule = "'check':'container-runtime','listWithin':'2s'";
    assertUnavailable(rule, "no container runtime found");
    node.runtime = Optional.of(_ -> new RuntimeQuery.Status("", "no cni", Duration.ofSeconds(2)));
    assertThat(run(rule)).isEqualTo(NodeCheckResult.OK);
    assertThat(run(rule + ",'network':true"))
        .isEqualTo(new Problem("container runtime's network is not ready: no cni"));
    node.runtime = Optional.of(_ -> new RuntimeQuery.Status("", "", Duration.ofMillis(2001)));
    assertThat(run(rule))
        .isEqualTo(new Problem("container runtime took longer to list containers than 2s"));
    node.runtime = Optional.of(_ -> new RuntimeQuery.Status("Starting", "", Duration.ZERO));
    assertThat(run(rule)).isEqualTo(new Problem("container runtime is not ready: Starting"));
    node.runtime =
        Optional.of(_ -> {
          throw new IOException("connect to x: connection refused");
        });
    assertThat(run(rule)).isEqualTo(new Problem("connect to x: connection refused"));
  }

  @Test
  @DisplayName("B-9 a container's own view is rejected")
  void ownView() throws Exception {
    Path proc = root.resolve("proc");
    Files.createDirectories(proc.resolve("self/ns"));
    Files.createSymbolicLink(proc.resolve("self/ns/pid"), Path.of("pid:[4026532000]"));
    Machine inside =
        new Machine(
            Path.of("/"),
            proc,
            root,
            root,
            node,
            Optional.empty(),
            node.machine().time(),
            new Random(1));
    assertThatThrownBy(() -> inside.requireNodeView("mounts"))
        .hasMessage(
            "only the container's own mounts are visible; requires hostPID: true or --host-root");
    Files.delete(proc.resolve("self/ns/pid"));
    Files.createSymbolicLink(proc.resolve("self/ns/pid"), Path.of("pid:[4026531836]"));
    inside.requireNodeView("mounts");
    node.file("/proc/self/mountinfo", MOUNTS);
    inside.requireNodeFiles();
    node.file("/proc/self/mountinfo", MOUNTS.replace("8:1", "0:99"));
    assertThatThrownBy(inside::requireNodeFiles)
        .hasMessage("only the container's own files are visible; requires --host-root");
    NodeCheck panic = NodeChecks.of(new CheckSpec.KernelPanic(Duration.ofHours(24)), inside);
    assertThatThrownBy(panic::run)
        .as("a container has no pstore of its own, so that nothing is found there")
        .hasMessage("only the container's own files are visible; requires --host-root");
    node.machine().requireNodeFiles();
  }
}
