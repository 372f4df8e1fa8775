package io.probelet.monitor.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.KernelLines;
import io.probelet.monitor.rule.LinePattern.Scope;
import io.probelet.monitor.rule.Monitor.LogRule;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DefaultMonitorsTest {
  private static final List<Monitor.Log> ALL =
      Stream.of("kernel.json", "services.json")
          .map(name -> (Monitor.Log) DefaultMonitors.read(name))
          .toList();

  private static Set<String> reasons(String line) {
    return ALL.stream()
        .flatMap(monitor -> monitor.rules().stream())
        .filter(rule -> rule.pattern().find(line).isPresent())
        .map(rule -> rule.consequence().reason())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Stream<KernelLines.Example> examples() {
    return Stream.concat(KernelLines.KERNEL.stream(), KernelLines.SYSTEMD.stream());
  }

  @ParameterizedTest
  @MethodSource("examples")
  @DisplayName("A-10 the built-in rules match lines of kernels and services, each by its reason")
  void seen(KernelLines.Example example) {
    assertThat(String.join(",", reasons(example.line()))).isEqualTo(example.reasons());
  }

  @Test
  @DisplayName("A-10 there is an example of each rule")
  void complete() {
    assertThat(ALL)
        .flatExtracting(Monitor.Log::rules)
        .filteredOn(rule ->
            examples().noneMatch(example -> rule.pattern().find(example.line()).isPresent()))
        .extracting(rule -> rule.pattern().source())
        .isEmpty();
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
        "Mounted /xfs/Shutting down filesystem",
        "BUG: soft lockup - CPU#0 stuck for 22s",
        "XFS (sdb1): Ending clean mount",
        "EXT4-fs (sda1): re-mounted x r/w.",
        "x[7]: segfault at 0 ip 0 sp 0 error 4 in x Remounting filesystem read-only[161e,5+1000]",
        "tmpfs: Unknown parameter 'EXT4-fs (sda1): Remounting filesystem read-only'",
        "x kubelet[7]: segfault at 0 ip 0 sp 0 error 4",
        "kubelet.slice: Started kubelet.service."
      })
  @DisplayName("A-10 unrelated and repeated lines do not match")
  void notSeen(String line) {
    assertThat(reasons(line)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "EXT4-fs (dm-0): Remounting filesystem read-only | dm-0",
        "EXT4-fs (nvme0n1p1): Remounting filesystem read-only | nvme0n1p1",
        "EXT4-fs error (device cciss!c0d0p1): Remounting filesystem read-only | cciss!c0d0p1",
        "Remounting filesystem read-only | ''",
        "BTRFS info (device dm-75: state E): forced readonly | dm-75",
        "BTRFS info (device sdd state EA): forced readonly | sdd",
        "XFS (dm-0): Corruption of in-memory data (0x8) detected at xfs_x+0x1 [xfs] (fs/xfs/xfs_x.c:1).  Shutting down filesystem. | dm-0",
        "XFS (md-0.1): Filesystem has been shut down due to log error (0x2). | md-0.1"
      })
  @DisplayName("B-15 the device of a line is found")
  void device(String line, String device) {
    List<String> found =
        ALL.stream()
            .flatMap(monitor -> monitor.rules().stream())
            .filter(rule -> rule.pattern().find(line).isPresent())
            .map(rule -> rule.deviceIn(line))
            .toList();
    assertThat(found).containsExactly(device);
  }

  @Test
  @DisplayName("A-11 no kernel line sets or clears a condition: it runs the check that does")
  void checksDecide() {
    Monitor.Log kernel = ALL.getFirst();
    assertThat(kernel.conditions()).isEmpty();
    assertThat(kernel.input()).isEqualTo(new LogInput.Kmsg(LogInput.Kmsg.DEVICE, true));
    Map<String, Set<CheckKind>> runs = new TreeMap<>();
    for (LogRule rule : kernel.rules()) {
      assertThat(rule.consequence()).isInstanceOf(Consequence.EventOnly.class);
      assertThat(rule.clear()).isNull();
      if (!rule.runs().isEmpty()) {
        runs.put(rule.consequence().reason(), rule.runs());
      }
    }
    assertThat(runs)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "FilesystemIsReadOnly", Set.of(CheckKind.READ_ONLY_MOUNTS),
                "XfsHasShutDown", Set.of(CheckKind.FILESYSTEM_SHUTDOWN),
                "SoftLockup", Set.of(CheckKind.CPU_LOCKUP),
                "HardLockup", Set.of(CheckKind.CPU_LOCKUP),
                "RcuStall", Set.of(CheckKind.CPU_LOCKUP),
                "CperHardwareErrorFatal", Set.of(CheckKind.HARDWARE_ERRORS)));
  }

  @Test
  @DisplayName("A-11 conditions set by lines require systemd's own entries")
  void systemdOnly() {
    Monitor.Log services = ALL.getLast();
    assertThat(services.input())
        .isEqualTo(
            new LogInput.Journal(
                "", "systemd", Map.of("_PID", "1", "_UID", "0", "_TRANSPORT", "journal")));
    assertThat(services.rules()).extracting(LogRule::clear).containsOnlyNulls();
  }

  /** A pattern without its named parts that others choose. */
  private static String kernelParts(String pattern) {
    StringBuilder rest = new StringBuilder();
    for (int at = 0; at < pattern.length(); at++) {
      if (pattern.startsWith("(?P<", at)) {
        int depth = 0;
        do {
          if (pattern.charAt(at) == '\\') {
            at++;
          } else if (pattern.charAt(at) == '(') {
            depth++;
          } else if (pattern.charAt(at) == ')') {
            depth--;
          }
          at++;
        } while (depth > 0);
        at--;
      } else {
        rest.append(pattern.charAt(at));
      }
    }
    return rest.toString();
  }

  @Test
  @DisplayName(
      "A-11 a built-in pattern matches the whole record; parts chosen by others are named "
          + "groups")
  void wholeRecords() {
    for (Monitor.Log monitor : ALL) {
      assertThat(monitor.bufferSize()).as("no pattern sees the record before").isEqualTo(1);
      for (LogRule rule : monitor.rules()) {
        String pattern = rule.pattern().source();
        assertThat(pattern).startsWith("^").doesNotContain("(?s", "(?m");
        String kernel = kernelParts(pattern);
        assertThat(kernel).as(pattern).doesNotContain(".*", ".+", ".{");
        // An alternative at the top would be bound to neither end.
        assertThat(Scope.of(pattern).literals()).as(pattern).hasSize(1);
      }
    }
  }

  @Test
  @DisplayName("A-11 a record that begins with a process name matches no rule")
  void nameFirst() {
    for (KernelLines.Example example : KernelLines.KERNEL) {
      if (example.reasons().equals("DaemonSegfault")) {
        continue; // that is what it says: a process of that name
      }
      String name = example.line().substring(0, 15);
      for (String rest :
          List.of(
              "[7]: segfault at 0 ip 0 sp 0 error 4",
              ": page allocation failure: order:0",
              " invoked oom-killer: gfp_mask=0x0",
              " (7): drop_caches: 3",
              ": renamed from eth0")) {
        assertThat(reasons(name + rest)).isEmpty();
        assertThat(reasons(name + rest + " " + example.line())).isEmpty();
      }
    }
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
