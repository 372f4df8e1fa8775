package io.probelet.monitor.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Kernel;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.check.PretendedNode;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.journal.JournalWriter;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** ACT-100: the parts of a bundle, on nodes made of files. */
class NodePartsTest {
  private static final Instant AT = Instant.parse("2026-11-21T12:00:00Z");
  private static final String DISK = "36 1 8:1 / / rw - ext4 /dev/sda1 rw\n";

  @TempDir Path root;
  @TempDir Path kept;

  private PretendedNode node;

  @BeforeEach
  void node() {
    node =
        new PretendedNode(root)
            .file("/proc/1/mountinfo", DISK)
            .file("/proc/1/stat", "1 (systemd) S 0 1 1 0 -1")
            .file("/proc/uptime", "100.00 50.00\n")
            .file("/proc/sys/kernel/random/boot_id", "0a1b\n")
            .file("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n")
            .file("/proc/diskstats", "   8       0 sda 1 2 3 4 5 6 7 8 9 10 11\n")
            .file("/proc/net/dev", "Inter-| Receive\n eth0: 1 2 3\n")
            .file(
                "/proc/net/route",
                """
                Iface Destination Gateway Flags RefCnt Use Metric Mask
                eth0 00000000 0100000A 0003 0 0 100 00000000 0 0 0
                """)
            .file("/proc/pressure/cpu", "some avg10=0.00 avg60=1.00 avg300=0.00 total=1\n")
            .file("/proc/pressure/memory", "full avg10=0.00 avg60=0.00 avg300=0.00 total=1\n")
            .file("/proc/pressure/io", "full avg10=0.00 avg60=62.50 avg300=0.00 total=1\n")
            .file("/etc/os-release", "ID=debian\n");
  }

  private EvidenceBundle collect(Machine machine, JournalAccess journal) throws Exception {
    return new NodeEvidence(
            "node-1",
            NodeParts.of(machine, root.resolve("kmsg"), journal),
            new EvidenceRing(kept),
            SystemClock.INSTANCE)
        .collect("test");
  }

  private Map<String, String> files() throws Exception {
    return BundleFiles.read(collect(node.machine(), JournalAccess.USUAL));
  }

  @Test
  @DisplayName("Kernel log, processes, disks, pressure, network and system are there")
  void all() throws Exception {
    node.file(
            "/kmsg",
            """
            6,1,1000000,-;booted
            3,2,99000000,-;EXT4-fs error (device sda1): ext4_x:1: bad
            3,3,99000001,-;tmpfs: Unknown parameter 'EXT4-fs error (device sda1): ext4_x:1: y'
            11,4,99000002,-;NVRM: Xid (PCI:0000:3b:00): 79, forged
            3,5,99000003,-;x[1]: segfault in x\\x0aNVRM: Xid (PCI:0000:3b:00): 79, forged
            """)
        .file("/proc/7/stat", "7 (kworker/u8:2) D 2 0 0 0 -1")
        .file("/proc/7/wchan", "io_schedule")
        .file("/proc/7/cmdline", "HUNTER2")
        .file("/proc/8/stat", "8 (a) b (c) R) Z 1 0 0 0 -1");

    EvidenceBundle bundle = collect(node.machine(), JournalAccess.USUAL);

    Map<String, String> files = BundleFiles.read(bundle);
    assertThat(files.get("kernel.log")).contains(" booted\n").contains("EXT4-fs error");
    assertThat(files.get("processes.txt"))
        .contains("processes=3", "state D 1", "state S 1", "state Z 1")
        .contains("D kworker/u8:2 pid=7 ppid=2 wchan=io_schedule")
        .contains("Z a) b (c) R pid=8 ppid=1");
    assertThat(files.get("disks.txt")).contains("8       0 sda 1 2 3").contains("/ ext4 /dev/sda1");
    assertThat(files.get("pressure.txt")).contains("avg60=62.50");
    assertThat(files.get("network.txt"))
        .contains("eth0: 1 2 3")
        .contains("0.0.0.0/0.0.0.0 via 10.0.0.1 dev eth0 flags 0003 metric 100");
    assertThat(files.get("system.txt"))
        .contains("0a1b", "6.1.0-18-amd64", "ID=debian", "clock synchronized=true");
    assertThat(bundle.digest())
        .contains(
            "processes: 1 blocked: kworker/u8:2 in io_schedule",
            "pressure: all tasks stalled on io 62.50 % of the time")
        .contains("note: tenants choose the process, file and mount names in these lines")
        .anyMatch(line -> line.startsWith("kernel-log: 2026-11-21T11:59:59Z EXT4-fs error"))
        .filteredOn(line -> line.startsWith("kernel-log"))
        .hasSize(1);
    assertThat(files.get("kernel.log").lines().skip(2))
        .satisfiesExactly(
            line -> assertThat(line).contains("Z tmpfs: Unknown parameter 'EXT4-fs error"),
            line -> assertThat(line).contains("Z (not from the kernel) NVRM: Xid"),
            line -> assertThat(line).contains("Z x[1]: segfault in x NVRM: Xid"));
    assertThat(files.values()).noneMatch(text -> text.contains("HUNTER2"));
  }

  @Test
  @DisplayName("ACT-102: in an isolated container processes are missing, not zero")
  void ownContainer() throws Exception {
    Files.delete(node.seen("/proc/1/stat"));
    Files.delete(node.seen("/proc/1/mountinfo"));
    Files.delete(node.seen("/proc/1"));

    Map<String, String> files = files();

    assertThat(files).doesNotContainKeys("processes.txt", "kubelet.log", "runtime.log");
    assertThat(files.get("manifest.json"))
        .contains("does not show the node: process 1 is missing")
        .contains("cannot read the journal: none found in");
    assertThat(files.get("digest.txt")).contains("missing or incomplete: kernel-log (");
  }

  @Test
  @DisplayName("A full disk, a read-only disk and an unreadable disk")
  void disks() throws Exception {
    node.file(
        "/proc/1/mountinfo",
        DISK
            + "37 1 8:2 / /data rw - ext4 /dev/sdb1 ro\n"
            + "38 1 8:3 / /gone rw - xfs /dev/sdc1 rw\n"
            + "39 1 0:9 / /net rw - nfs server:/x rw\n"
            + "40 1 8:9 / /var/lib/kubelet/pods/0c7ae3d2-3a56-4f0f-9a51-6f2d3a1b0c99"
            + "/volumes/kubernetes.io~csi/pvc-1/mount rw - ext4 /dev/sdg ro\n");
    Map<Path, Kernel.Room> rooms =
        Map.of(
            root,
            new Kernel.Room(1, 100, 5, 4, 10, 9),
            root.resolve("data"),
            new Kernel.Room(1, 100, 50, 50, 10, 9));
    Kernel kernel = new RoomyKernel(rooms);
    Machine pretended = node.machine();
    Machine machine =
        new Machine(
            root,
            pretended.proc(),
            pretended.sys(),
            pretended.stateFolder(),
            kernel,
            Optional.empty(),
            pretended.time(),
            pretended.random());

    EvidenceBundle bundle = collect(machine, JournalAccess.USUAL);

    assertThat(bundle.digest())
        .contains(
            "disks: / is full: 96 % of space, 10 % of inodes used",
            "disks: /data turned read-only",
            "disks: volume pvc-1 of pod with uid 0c7ae3d2-3a56-4f0f-9a51-6f2d3a1b0c99"
                + " turned read-only");
    Map<String, String> files = BundleFiles.read(bundle);
    assertThat(files.get("disks.txt")).contains("/net nfs").doesNotContain("asking /net");
    assertThat(files.get("manifest.json")).contains("/gone: no filesystem at");
  }

  private record RoomyKernel(Map<Path, Room> rooms) implements Kernel {
    @Override
    public Room room(Path mount) throws IOException {
      Room room = rooms.get(mount);
      if (room == null) {
        throw new IOException("no filesystem at " + mount);
      }
      return room;
    }

    @Override
    public String filesystem(Path folder) {
      return "ext4";
    }

    @Override
    public boolean opens(Path file) {
      return true;
    }

    @Override
    public Cpus cpus() {
      throw new UnsupportedOperationException("evidence asks no CPU");
    }

    @Override
    public ClockState clock() {
      return new ClockState(false, java.time.Duration.ZERO);
    }

    @Override
    public java.time.Duration awake() {
      return java.time.Duration.ZERO;
    }
  }

  @Test
  @Timeout(60)
  @DisplayName("Thousands of processes with hostile names, a kernel log without end")
  void hostileSizes() throws Exception {
    String name = "\u001b[2J password=HUNTER2\n) R";
    for (int pid = 100; pid < 2600; pid++) {
      node.file("/proc/" + pid + "/stat", pid + " (" + name + ") D 1 0 0 0 -1");
    }
    node.file(
        "/kmsg",
        IntStream.range(0, 30_000)
            .mapToObj(line -> "6," + line + "," + line + ",-;line " + line + " " + "x".repeat(100))
            .collect(Collectors.joining("\n", "", "\n")));

    EvidenceBundle bundle = collect(node.machine(), JournalAccess.USUAL);

    Map<String, String> files = BundleFiles.read(bundle);
    assertThat(files.get("kernel.log")).hasSizeBetween(400_000, 512 << 10).contains("line 29999 ");
    assertThat(files.get("processes.txt"))
        .contains("state D 2500")
        .doesNotContain("HUNTER2", "\u001b");
    assertThat(files.get("processes.txt").lines().count()).isLessThan(1100);
    assertThat(bundle.digest()).anyMatch(line -> line.contains("2500 blocked: "));
    assertThat(String.join("\n", bundle.digest())).doesNotContain("HUNTER2", "\u001b");
  }

  @Test
  @Timeout(60)
  @DisplayName("ACT-102: a slow device is read up to its newest messages")
  void slowDevice() throws Exception {
    Path fifo = root.resolve("kmsg");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    int lines = 12_000; // read in more than the time after which a source takes itself for done
    Thread writer =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              try (BufferedWriter kernel = Files.newBufferedWriter(fifo)) {
                for (int line = 0; line < lines; line++) {
                  kernel.write("6," + line + "," + line + ",-;password=" + "x".repeat(30) + "\n");
                }
                kernel.write("6," + lines + "," + lines + ",-;newest\n");
              } catch (IOException ended) {
                throw new UncheckedIOException(ended);
              }
            });

    assertThat(files().get("kernel.log")).endsWith(" newest\n");
    writer.join();
  }

  @Test
  @DisplayName("The newest entries of kubelet and runtime are read from a journal of any length")
  void journal() throws Exception {
    Path file =
        root.resolve("var/log/journal").resolve(JournalWriter.MACHINE).resolve("system.journal");
    try (JournalWriter writer = new JournalWriter(file)) {
      for (int entry = 0; entry < 3500; entry++) {
        writer.entry(
            AT.plusSeconds(entry),
            JournalWriter.MACHINE,
            "_SYSTEMD_UNIT",
            entry % 2 == 0 ? "kubelet.service" : "k3s.service",
            "MESSAGE",
            "entry "
                + entry
                + " token=HUNTER2"
                + (entry == 3498 ? "\n2026-11-21T12:00:00Z forged" : ""));
      }
      writer.entry(AT, JournalWriter.MACHINE, "_SYSTEMD_UNIT", "other.service", "MESSAGE", "other");
    }

    for (JournalAccess access :
        List.of(JournalAccess.USUAL, new JournalAccess(false, "journalctl"))) {
      Map<String, String> files = BundleFiles.read(collect(node.machine(), access));

      String log = files.get("kubelet.log");
      assertThat(log)
          .contains("entry 3499 token=[redacted]\n", "entry 500 ")
          .doesNotContain("entry 499 ", "HUNTER2", "other");
      assertThat(log.lines().filter(line -> line.matches(".*Z? .*entry .*")).toList())
          .hasSize(3000);
      assertThat(log.lines().filter(line -> line.contains("forged")).toList())
          .singleElement()
          .asString()
          .isEqualTo("| 2026-11-21T12:00:00Z forged"); // what begins with a time is an entry
      assertThat(files.get("runtime.log")).isEqualTo("no journal entries for these units\n");
    }
  }
}
