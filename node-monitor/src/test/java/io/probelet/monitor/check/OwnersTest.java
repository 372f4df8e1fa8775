package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.TimeSource;
import io.probelet.monitor.MonitorFiles;
import io.probelet.monitor.check.Kernel.Room;
import io.probelet.monitor.check.NodeCheckResult.Problem;
import io.probelet.monitor.check.NodeCheckResult.Unknown;
import io.probelet.monitor.rule.Monitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** B-22: resources that tenants can exhaust are reported with their largest owner. */
class OwnersTest {
  private static final String WEB = "0c7ae3d2-3a56-4f0f-9a51-6f2d3a1b0c99";
  private static final String DB = "11111111-2222-3333-4444-555555555555";
  private static final String STATIC = "0123456789abcdef0123456789abcdef";
  private static final String WEB_NAME = "pod shop/web-0 (uid " + WEB + ")";

  @TempDir Path root;
  private PretendedNode node;

  @BeforeEach
  void start() throws Exception {
    node =
        new PretendedNode(root)
            .file("/proc/1/mountinfo", "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n")
            .file("/proc/1/status", "Name:\tinit\nUid:\t0\t0\t0\t0\n");
    Files.createDirectories(node.seen("/var/log/pods/shop_web-0_" + WEB));
    Files.createDirectories(node.seen("/var/log/pods/e\u001b[2J_x y_" + DB));
  }

  private NodeCheck check(String rule) {
    Monitor.Checks monitor =
        (Monitor.Checks) MonitorFiles.read("{'plugin':'check','rules':[{" + rule + "}]}");
    return NodeChecks.of(monitor.rules().getFirst().check(), node.machine());
  }

  private String problem(String rule) throws Exception {
    return ((Problem) check(rule).run()).message();
  }

  /** A process of a pod, by the systemd driver, as a container's own view shows it. */
  private void ofPod(int pid, String uid) {
    node.file(
            "/proc/" + pid + "/cgroup",
            "0::/../../kubepods-burstable-pod%s.slice/cri-containerd-%s.scope\n"
                .formatted(uid.replace('-', '_'), "ab".repeat(32)))
        .file("/proc/" + pid + "/status", "Name:\tx\nUid:\t1000\t1000\t1000\t1000\n");
  }

  private void ofUser(int pid, int user) {
    node.file("/proc/" + pid + "/cgroup", "0::/user.slice/session-1.scope\n")
        .file("/proc/" + pid + "/status", "Name:\tx\nUid:\t5\t%1$d\t5\t5\n".formatted(user));
  }

  private void stat(int pid, char state, int parent, int threads) {
    node.file(
        "/proc/" + pid + "/stat",
        "%d (a) Z b) %s %d 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 %d 0 0"
            .formatted(pid, state, parent, threads));
  }

  private void zombies(int from, int count, int parent) {
    for (int pid = from; pid < from + count; pid++) {
      stat(pid, 'Z', parent, 1);
    }
  }

  @Test
  @DisplayName("130 zombies: the pod of their parent is named, with its share")
  void zombies() throws Exception {
    ofPod(50, WEB);
    stat(50, 'S', 1, 1);
    zombies(1000, 120, 50);
    zombies(2000, 10, 1);
    assertThat(problem("'check':'zombies'"))
        .isEqualTo(
            "more than 100 zombie processes; " + WEB_NAME + " accounts for about 90 % of them");
  }

  @Test
  @DisplayName("Zombies that a shim has adopted are those of the pod that they ran in")
  void adopted() throws Exception {
    ofUser(50, 0);
    zombies(1000, 120, 50);
    for (int pid = 1000; pid < 1110; pid++) {
      ofPod(pid, STATIC);
    }
    assertThat(problem("'check':'zombies'"))
        .endsWith("; pod with uid " + STATIC + " accounts for about 90 % of them");
  }

  @ParameterizedTest
  @CsvSource({
    "0::/kubepods/burstable/podU/c, true",
    "0::/../../podU/c, true",
    "0::/../../../guaranteed/podU/c, true",
    "5:pids:/kubepods.slice/kubepods-podU.slice/cri-containerd-c.scope, true",
    "0::/user.slice/podU, false"
  })
  @DisplayName("The pod of a process, by both drivers, as the node or a container sees it")
  void cgroups(String line, boolean pod) {
    node.file("/proc/50/cgroup", line.replace("U", WEB) + "\n");
    assertThat(Owners.pod(node.seen("/proc/50")).isPresent()).isEqualTo(pod);
  }

  @Test
  @DisplayName("Zombies outside of pods are attributed to a user")
  void users() throws Exception {
    ofUser(50, 1001);
    zombies(1000, 120, 50);
    assertThat(problem("'check':'zombies'"))
        .endsWith("; user 1001 (no pod) accounts for about 100 % of them");
  }

  @Test
  @DisplayName("A folder of logs with an odd name names no pod")
  void oddName() throws Exception {
    ofPod(50, DB);
    zombies(1000, 120, 50);
    assertThat(problem("'check':'zombies'")).contains("; pod with uid " + DB + " accounts for");
  }

  @Test
  @DisplayName("Too many processes are Unknown; a problem found before the limit is kept")
  void manyProcesses() throws Exception {
    zombies(1000, 120, 1);
    assertThat(new ZombiesCheck(200, node.machine(), 100).run())
        .isEqualTo(new Unknown("too many processes to count: the limit is 100 processes or 4 s"));
    assertThat(new ZombiesCheck(50, node.machine(), 100).run())
        .isEqualTo(
            new Problem(
                "more than 50 zombie processes;"
                    + " user 0 (no pod) accounts for about 100 % of them (partial count)"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"zombies", "inotify"})
  @DisplayName("Processes that take too long to read are Unknown too")
  void slow(String kind) throws Exception {
    zombies(1000, 120, 1);
    node.file("/proc/sys/fs/inotify/max_user_instances", "128")
        .file("/proc/sys/fs/inotify/max_user_watches", "8192");
    Files.createDirectories(node.seen("/proc/1/fd"));
    Files.createSymbolicLink(node.seen("/proc/1/fd/0"), Path.of("/dev/null"));
    Machine machine = node.machine();
    TimeSource slow =
        new TimeSource() {
          private long now;

          @Override
          public long nanoTime() {
            now += Duration.ofMillis(100).toNanos();
            return now;
          }

          @Override
          public Instant wallTime() {
            return PretendedNode.NOW;
          }
        };
    Machine slowly =
        new Machine(
            machine.root(),
            machine.proc(),
            machine.sys(),
            machine.stateFolder(),
            machine.kernel(),
            machine.runtime(),
            slow,
            machine.random());
    NodeCheck check =
        kind.equals("zombies") ? new ZombiesCheck(200, slowly) : new InotifyCheck(90, slowly);
    assertThat(check.run())
        .isInstanceOfSatisfying(
            Unknown.class,
            unknown -> assertThat(unknown.why()).contains("the limit is 100000 processes or 4 s"));
  }

  @Test
  @DisplayName("Threads, open files and tracked connections have owners")
  void limits() throws Exception {
    node.file("/proc/sys/kernel/pid_max", "100\n")
        .file("/proc/sys/kernel/threads-max", "1000\n")
        .file("/proc/loadavg", "0.1 0.2 0.3 2/99 12345\n")
        .file("/proc/sys/fs/file-nr", "99\t0\t100\n")
        .file("/proc/sys/net/netfilter/nf_conntrack_count", "99\n")
        .file("/proc/sys/net/netfilter/nf_conntrack_max", "100\n")
        .file(
            "/proc/1/net/nf_conntrack",
            """
            ipv4     2 tcp      6 86 TIME_WAIT src=10.0.1.7 dst=10.0.0.1 sport=1 dport=2 src=10.0.0.1 dst=10.0.1.7
            ipv4     2 tcp      6 86 TIME_WAIT src=10.0.1.7 dst=10.0.0.1 sport=2 dport=2 src=10.0.0.1 dst=10.0.1.7
            ipv6     10 udp     17 86 src=fe80::1 dst=fe80::2 sport=2 dport=2 src=fe80::2 dst=fe80::1
            nonsense
            """);
    stat(50, 'S', 1, 80);
    ofPod(50, WEB);
    stat(60, 'S', 1, 20);
    ofUser(60, 1001);
    for (int file = 0; file < 7; file++) {
      node.file("/proc/50/fd/" + file, "");
    }
    assertThat(problem("'check':'pids'"))
        .isEqualTo(
            "more than 90 % of the process and thread IDs are used; "
                + WEB_NAME
                + " accounts for about 80 % of them");
    assertThat(problem("'check':'open-files'"))
        .startsWith("more than 90 % of the kernel's file handles are used; " + WEB_NAME);
    assertThat(problem("'check':'conntrack'"))
        .isEqualTo(
            "more than 90 % of the connection tracking entries are used;"
                + " address 10.0.1.7 accounts for about 50 % of them");
  }

  @Test
  @DisplayName("A pod that uses up the inotify instances of its user is named")
  void inotify() throws Exception {
    node.file("/proc/sys/fs/inotify/max_user_instances", "2")
        .file("/proc/sys/fs/inotify/max_user_watches", "100");
    Files.createDirectories(node.seen("/proc/1/fd"));
    Files.createSymbolicLink(node.seen("/proc/1/fd/0"), Path.of("/dev/null"));
    ofPod(50, WEB);
    stat(50, 'S', 1, 1);
    Files.createDirectories(node.seen("/proc/50/fd"));
    for (int file = 0; file < 2; file++) {
      Files.createSymbolicLink(node.seen("/proc/50/fd/" + file), Path.of("anon_inode:inotify"));
      node.file("/proc/50/fdinfo/" + file, "pos: 0\ninotify wd:1 ino:1\n");
    }
    assertThat(problem("'check':'inotify'"))
        .isEqualTo(
            "more than 90 % of the inotify instances of user 1000 are used; "
                + WEB_NAME
                + " accounts for about 100 % of the instances of user 1000");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod%s.slice",
        "/sys/fs/cgroup/kubepods/besteffort/pod%s",
        "/sys/fs/cgroup/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-pod%s.slice"
      })
  @DisplayName("Pressure names the pod that uses most of the memory, the CPUs, the disks")
  void pressure(String place) throws Exception {
    String driver = place.contains("slice") ? "_" : "-";
    String web = place.formatted(WEB.replace("-", driver));
    String db = place.formatted(DB.replace("-", driver));
    node.file("/sys/fs/cgroup/cgroup.controllers", "cpu io memory pids\n")
        .file(web + "/memory.current", "700\n")
        .file(db + "/memory.current", "300\n")
        .file(web + "/cpu.stat", "usage_usec 1000\nuser_usec 1\n")
        .file(db + "/cpu.stat", "usage_usec 100\n")
        .file(web + "/io.stat", "8:0 rbytes=1 wbytes=2 rios=3\n8:16 rbytes=3 wbytes=4\n")
        .file(db + "/io.stat", "");
    String full = "some avg10=99.00 avg60=99.00 avg300=99.00 total=7\n";
    for (String resource : new String[] {"memory", "io", "cpu"}) {
      node.file("/proc/pressure/" + resource, full + full.replace("some", "full"));
    }
    node.file("/proc/meminfo", "MemTotal:              1 kB\nMemFree: 0 kB\n");
    assertThat(problem("'check':'memory-pressure'"))
        .endsWith("(avg60); " + WEB_NAME + " accounts for about 70 % of the node's memory");
    NodeCheck cpu = check("'check':'cpu-pressure'");
    NodeCheck io = check("'check':'io-pressure'");
    assertThat(((Problem) cpu.run()).message()).endsWith("(avg300)");
    assertThat(((Problem) io.run()).message()).endsWith("(avg60)");
    node.file(web + "/cpu.stat", "usage_usec 1010\n")
        .file(db + "/cpu.stat", "usage_usec 190\n")
        .file(db + "/io.stat", "8:0 rbytes=1000 wbytes=0\n");
    assertThat(((Problem) cpu.run()).message())
        .endsWith("; pod with uid " + DB + " accounts for about 90 % of the CPU time of all pods");
    assertThat(((Problem) io.run()).message())
        .endsWith("; pod with uid " + DB + " accounts for about 100 % of the disk I/O of all pods");
  }

  @Test
  @DisplayName("A full disk: the pod that has written most, to volumes, logs or its own layer")
  void disk() throws Exception {
    node.rooms.put(node.seen("/"), new Room(1, 100, 1, 1, 100, 1));
    String pods = "/var/lib/kubelet/pods/";
    node.file(pods + WEB + "/volumes/kubernetes.io~empty-dir/cache/big", "x".repeat(5000))
        .file(pods + DB + "/volumes/kubernetes.io~empty-dir/cache/small", "x")
        .file("/var/log/pods/shop_web-0_" + WEB + "/web/0.log", "x".repeat(2000));
    Files.createSymbolicLink(
        node.seen(pods + DB + "/volumes/kubernetes.io~empty-dir/cache/link"),
        node.seen(pods + WEB));
    assertThat(problem("'check':'disk-space'"))
        .startsWith(
            "more than 90 % of the space is used on /; " + WEB_NAME + " accounts for about ")
        .endsWith("of the used space");

    ofPod(50, DB);
    stat(50, 'S', 1, 1);
    node.file(
        "/proc/50/mountinfo",
        "1 0 0:5 / / rw - overlay overlay rw,lowerdir=/a,upperdir=/var/lib/x/7/fs,workdir=/w\n");
    for (int file = 0; file < 50; file++) {
      node.file("/var/lib/x/7/fs/" + file, "x".repeat(4000));
    }
    assertThat(problem("'check':'disk-space'"))
        .contains("; pod with uid " + DB + " accounts for about");
    assertThat(problem("'check':'disk-inodes'"))
        .contains("; pod with uid " + DB + " accounts for about");
  }

  @Test
  @DisplayName("A disk filled by others: a pod's share is relative to all usage")
  void smallShare() throws Exception {
    node.rooms.put(node.seen("/"), new Room(4096, 1_000_000, 1, 1, 100, 1));
    node.file("/var/log/pods/shop_web-0_" + WEB + "/web/0.log", "x".repeat(2000));
    assertThat(problem("'check':'disk-space'"))
        .endsWith("; " + WEB_NAME + " accounts for less than 10 % of the used space");
  }

  @Test
  @DisplayName("A pod with more files than are counted is named with a partial count")
  void manyFiles() throws Exception {
    node.rooms.put(node.seen("/"), new Room(1, 100, 1, 1, 100, 1));
    String folder = "/var/lib/kubelet/pods/" + WEB + "/volumes/kubernetes.io~empty-dir/v/";
    Files.createDirectories(node.seen(folder));
    for (int file = 0; file < DiskOwners.MAX_FILES_OF_POD; file++) {
      Files.createFile(node.seen(folder + file));
    }
    assertThat(problem("'check':'disk-inodes'"))
        .contains(WEB_NAME)
        .endsWith("of the used inodes (partial count)");
  }

  @Test
  @DisplayName("Further addresses count in the total only, since senders can forge them")
  void manyAddresses() {
    Owners owners = new Owners(node.machine());
    for (int at = 0; at < Owners.MAX_OWNERS + 5000; at++) {
      owners.add(new Owner.Address("10.0." + at / 256 + "." + at % 256), 1);
    }
    assertThat(owners.total()).isEqualTo(Owners.MAX_OWNERS + 5000);
    assertThat(owners.largest("them")).contains(" accounts for less than 10 % of them");
  }
}
