package io.probelet.monitor.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.SystemClock;
import io.probelet.monitor.MonitorFiles;
import io.probelet.monitor.availability.UnavailableException;
import io.probelet.monitor.check.NodeCheckResult.Devices;
import io.probelet.monitor.check.NodeCheckResult.Problem;
import io.probelet.monitor.check.NodeCheckResult.Unknown;
import io.probelet.monitor.rule.Monitor;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** B-23: filesystems, CPUs and hardware are checked themselves, independent of log lines. */
class RealObjectsTest {
  private static final String MOUNTS =
      """
      22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
      23 22 8:2 / /data rw,noatime - xfs /dev/sdb1 rw
      27 22 8:9 / /var/lib/kubelet/pods/1/volumes/x rw - ext4 /dev/sdz rw,shutdown
      """;

  @TempDir Path root;
  private PretendedNode node;

  @BeforeEach
  void start() {
    node =
        new PretendedNode(root)
            .file("/proc/1/mountinfo", MOUNTS)
            .file("/proc/uptime", "3600.00 100.00\n")
            .file("/proc/stat", stat(7));
  }

  private NodeCheck check(String rule) {
    Monitor.Checks monitor =
        (Monitor.Checks) MonitorFiles.read("{'plugin':'check','rules':[{" + rule + "}]}");
    return NodeChecks.of(monitor.rules().getFirst().check(), node.machine());
  }

  private NodeCheckResult run(String rule) throws Exception {
    return check(rule).run();
  }

  // Filesystems

  @Test
  @DisplayName("A shut down filesystem reports it or fails to open; a pod's volume does not count")
  void shutdown() throws Exception {
    String rule = "'check':'filesystem-shutdown'";
    Set<String> volumes =
        Set.of("filesystem shut down after an error: volume at /var/lib/kubelet/pods/1/volumes/x");
    assertThat(run(rule)).isEqualTo(new Devices(Set.of("sda1", "sdb1"), "", volumes));
    node.shutDown.add(node.seen("/data"));
    assertThat(run(rule))
        .isEqualTo(
            new Devices(
                Set.of("sda1"), "filesystem shut down after an error: /data (xfs)", volumes));
    node.file("/proc/1/mountinfo", MOUNTS.replace("/dev/sda1 rw", "/dev/sda1 rw,shutdown"));
    assertThat(run(rule))
        .isEqualTo(
            new Devices(
                Set.of(), "filesystem shut down after an error: / (ext4), /data (xfs)", volumes));
  }

  @Test
  @DisplayName("An invisible filesystem is Unknown")
  void unseen() throws Exception {
    node.file("/proc/self/mountinfo", MOUNTS.replace(" / / ", " / " + root + " "));
    assertThat(run("'check':'filesystem-shutdown'"))
        .isEqualTo(
            new Unknown(
                "cannot see the node's mount at /data;"
                    + " requires mountPropagation: HostToContainer"));
  }

  // CPUs

  /** Time that CPU 2 has spent in programs; that of the others goes on. */
  private static String stat(int ofSecond) {
    return """
    cpu  100 0 5 6 7 0 0 0 0 0
    cpu0 9 1 1 1 1 0 0 0 0 0
    cpu1 9 1 1 1 1 0 0 0 0 0
    cpu2 %d 1 1 1 1 0 0 0 0 0
    cpu3 9 1 1 1 1 0 0 0 0 0
    intr 1 2 3
    """
        .formatted(ofSecond);
  }

  @Test
  @DisplayName("A CPU that a tenant keeps busy runs programs, and is not locked up")
  void busy() throws Exception {
    node.cpus.locked.add(2);
    node.cpus.whenAsked = () -> node.file("/proc/stat", stat(8));
    assertThat(run(LOCKUP)).isEqualTo(NodeCheckResult.OK);
  }

  private static final String LOCKUP = "'check':'cpu-lockup','within':'20ms'";

  @Test
  @DisplayName("A CPU that runs no thread is a problem, and no second thread is started for it")
  void lockedUp() throws Exception {
    NodeCheck check = check(LOCKUP);
    assertThat(check.run()).isEqualTo(NodeCheckResult.OK);
    node.cpus.locked.add(2);
    Problem problem = new Problem("no thread ran on CPU 2 within 20ms");
    assertThat(check.run()).isEqualTo(problem);
    int started = node.cpus.started;
    assertThat(check.run()).isEqualTo(problem);
    assertThat(node.cpus.started).as("threads for the three others").isEqualTo(started + 3);
    node.cpus.locked.clear();
    node.cpus.waiting.clear();
    assertThat(check.run()).isEqualTo(NodeCheckResult.OK);
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0 1", "4, 0 1 2", "4, 0 1 2 3"})
  @DisplayName("If most CPUs are late, the agent was stalled and the CPUs are Unknown")
  void heldUp(int count, String late) throws Exception {
    node.cpus = new PretendedCpus(count);
    List.of(late.split(" ")).forEach(cpu -> node.cpus.locked.add(Integer.parseInt(cpu)));
    assertThat(run(LOCKUP))
        .isEqualTo(
            new Unknown("no thread ran on most CPUs within 20ms: the agent itself was stalled"));
  }

  @Test
  @DisplayName("A thread that waited for a busy CPU answers the next run, with the full timeout")
  void late() throws Exception {
    node.cpus.locked.add(2);
    NodeCheck check = check(LOCKUP);
    assertThat(check.run()).isInstanceOf(Problem.class);
    long start = SystemClock.INSTANCE.nanoTime();
    assertThat(check.run()).isInstanceOf(Problem.class);
    assertThat(SystemClock.INSTANCE.nanoTime() - start)
        .as("time in which a busy CPU can show that it is busy")
        .isGreaterThanOrEqualTo(Duration.ofMillis(20).toNanos());
    node.cpus.whenAsked = () -> node.file("/proc/stat", stat(8));
    assertThat(check.run())
        .as("busy while the second run waits for the first one's thread")
        .isEqualTo(NodeCheckResult.OK);
    node.cpus.whenAsked = () -> node.cpus.run(2);
    assertThat(check.run()).as("it runs at last").isEqualTo(NodeCheckResult.OK);
  }

  @Test
  @DisplayName("A CPU that went offline or out of the cpuset is not locked up")
  void offline() throws Exception {
    node.cpus.refusing.addAll(Set.of(1, 2));
    assertThat(run(LOCKUP)).isEqualTo(NodeCheckResult.OK);
    node.cpus.locked.add(3);
    assertThat(run(LOCKUP)).isEqualTo(new Problem("no thread ran on CPU 3 within 20ms"));
    node.cpus.refusing.addAll(Set.of(0, 1, 2, 3));
    node.cpus.waiting.clear();
    assertThatThrownBy(() -> run(LOCKUP))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("sched_setaffinity");
  }

  @Test
  @DisplayName("Lockups counted by the kernel since the last run count for ten minutes")
  void counters() throws Exception {
    node.file("/sys/kernel/softlockup_count", "3\n").file("/sys/kernel/rcu_stall_count", "0\n");
    NodeCheck check = check(LOCKUP);
    assertThat(check.run()).as("from before the start").isEqualTo(NodeCheckResult.OK);
    node.file("/sys/kernel/softlockup_count", "4\n");
    Problem problem = new Problem("kernel counted soft lockups in the last 10m0s");
    assertThat(check.run()).isEqualTo(problem);
    node.time.advance(Duration.ofMinutes(9));
    assertThat(check.run()).isEqualTo(problem);
    node.time.advance(Duration.ofMinutes(1));
    assertThat(check.run()).isEqualTo(NodeCheckResult.OK);
  }

  @Test
  @DisplayName("Real CPUs run a thread each, and the calling thread keeps its affinity")
  void realCpus() throws Exception {
    Machine real = node.machine();
    LibC kernel = new LibC();
    Set<Integer> usable = kernel.cpus().usable();
    assertThat(usable).isNotEmpty();
    NodeCheck check =
        new CpuLockupCheck(
            Duration.ofSeconds(20),
            new Machine(
                real.root(),
                real.proc(),
                real.sys(),
                real.stateFolder(),
                kernel,
                real.runtime(),
                real.time(),
                real.random()));
    assertThat(check.run()).isEqualTo(NodeCheckResult.OK);
    assertThat(kernel.cpus().usable()).isEqualTo(usable);
    assertThatThrownBy(() -> LibC.pin(8191)).hasMessageContaining("sched_setaffinity for CPU 8191");
  }

  // Hardware

  private static final String HARDWARE = "'check':'hardware-errors'";

  private void bert(int... words) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(words.length * 4).order(ByteOrder.LITTLE_ENDIAN);
    for (int word : words) {
      bytes.putInt(word);
    }
    Path file = node.seen("/sys/firmware/acpi/tables/data/BERT");
    Files.createDirectories(file.getParent());
    Files.write(file, bytes.array());
  }

  @ParameterizedTest
  @CsvSource({
    "0 0 0 0 1, false", // no status: no error
    "1 0 0 0 1, true",
    "1 0 0 0 0, false", // recoverable
    "1 0 0 0 2, false", // corrected
    "1 0 0 4 2 7 1 0 0 0 1, true", // the second block
    "1 24 4 0 2 7 8 1 0 0 0 1, true", // one with raw data
    "1 0 0 0 2 0 0 0 0 1, false"
  })
  @DisplayName("Firmware records of the last boot: fatal or not")
  void record(String words, boolean fatal) throws Exception {
    bert(List.of(words.split(" ")).stream().mapToInt(Integer::parseInt).toArray());
    assertThat(run(HARDWARE))
        .isEqualTo(
            fatal
                ? new Problem("previous boot ended with a fatal hardware error (BERT)")
                : NodeCheckResult.OK);
  }

  @Test
  @DisplayName("A record of the last boot counts for a day")
  void oldRecord() throws Exception {
    bert(1, 0, 0, 0, 1);
    node.file("/proc/uptime", "86400.01 100.00\n");
    assertThat(run(HARDWARE)).isEqualTo(NodeCheckResult.OK);
    assertThat(run(HARDWARE + ",'within':'48h'")).isInstanceOf(Problem.class);
  }

  @Test
  @DisplayName("A record that is too long or exceeds its file is an error")
  void oddRecord() throws Exception {
    bert(1, 0, 0, -1, 2);
    assertThatThrownBy(() -> run(HARDWARE)).hasMessageContaining("longer than the file");
    int[] words = new int[HardwareErrorsCheck.MAX_RECORD / 4 + 1];
    words[0] = 1;
    words[4] = 2;
    bert(words);
    assertThatThrownBy(() -> run(HARDWARE)).hasMessageContaining("exceeds the limit of 64 KiB");
  }

  @Test
  @DisplayName("Uncorrected memory errors and fatal PCIe errors")
  void counted() throws Exception {
    assertThatThrownBy(() -> run(HARDWARE))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("hardware errors are not recorded");
    node.file("/sys/devices/system/edac/mc/mc0/ue_count", "0\n")
        .file("/sys/devices/system/edac/mc/power/control", "on\n");
    assertThat(run(HARDWARE)).isEqualTo(NodeCheckResult.OK);
    node.file("/sys/devices/system/edac/mc/mc1/ue_count", "2\n");
    assertThat(run(HARDWARE)).isEqualTo(new Problem("uncorrected memory errors since boot: mc1"));
    node.file("/sys/devices/system/edac/mc/mc1/ue_count", "0\n")
        .file("/sys/bus/pci/devices/0000:00:01.0/vendor", "x\n")
        .file("/sys/bus/pci/devices/0000:00:02.0/aer_dev_fatal", "DLP 0\nTOTAL_ERR_FATAL 0\n")
        .file("/sys/bus/pci/devices/0000:00:03.0/aer_dev_fatal", "DLP 1\nTOTAL_ERR_FATAL 1\n");
    assertThat(run(HARDWARE)).isEqualTo(new Problem("fatal PCIe errors since boot: 0000:00:03.0"));
    Files.createSymbolicLink(
        node.seen("/sys/bus/pci/devices/0000:00:03.0/driver"),
        Path.of("../../../bus/pci/drivers/vfio-pci"));
    assertThat(run(HARDWARE)).as("a tenant's guest has it").isEqualTo(NodeCheckResult.OK);
  }
}
