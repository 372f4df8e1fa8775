package io.probelet.monitor.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.node.SourceView.SourceState;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Issue 37, A: real attacks, through a whole monitor. */
@Timeout(300)
class ForgedEvidenceTest {
  private static final String LAST = "NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.";

  @TempDir Path dir;

  private NodeMonitor monitor() throws Exception {
    Machine machine =
        Machine.of(
            Path.of("/"),
            dir.resolve("state"),
            Optional.empty(),
            SystemClock.INSTANCE,
            new Random(1));
    NodeMonitor monitor =
        new NodeMonitor(
            new MonitorSettings(
                dir.resolve("state/state.json"),
                Files.createFile(dir.resolve("kmsg")),
                JournalAccess.USUAL,
                machine,
                ZoneOffset.UTC),
            SystemClock.INSTANCE);
    monitor.watch(
        DefaultMonitors.with(List.of()).stream()
            .filter(each -> each instanceof Monitor.Log log && log.input() instanceof LogInput.Kmsg)
            .toList());
    return monitor;
  }

  private static NodeSnapshot snapshot(NodeMonitor monitor) throws Exception {
    return monitor.snapshot().get(1, TimeUnit.MINUTES);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "x[7]: segfault at 0 ip 00 sp 00 error 4 in x Remounting filesystem read-only[161e,5+1000]",
        "x[7]: segfault at 0 ip 00 sp 00 error 4 in BUG: soft lockup - CPU#0 stuck for 22s[5+1000]",
        "tmpfs: Unknown parameter 'EXT4-fs (sda1): Remounting filesystem read-only'",
        "tmpfs: Unknown parameter 'BUG: soft lockup - CPU#0 stuck for 22s'",
        "tmpfs: Unknown parameter 'EXT4-fs (sda1): re-mounted x r/w.'",
        "x[7]: segfault at 0 ip 00 sp 00 error 4 in x\\x0a[Hardware Error]: event severity: fatal",
      })
  @DisplayName("A-11 a name in the kernel's log causes no condition and no event")
  void forged(String record) throws Exception {
    try (NodeMonitor monitor = monitor()) {
      await()
          .until(() ->
              snapshot(monitor).sources().stream()
                  .anyMatch(source -> source.state() instanceof SourceState.Running));
      double uptime =
          Double.parseDouble(Files.readString(Path.of("/proc/uptime")).split(" ", -1)[0]);
      long now = (long) (uptime * 1e6) + 1_000_000;
      Files.writeString(
          dir.resolve("kmsg"),
          "6,1,%d,-;%s\n6,2,%d,-;%s\n".formatted(now, record, now, LAST),
          StandardOpenOption.APPEND);
      await()
          .until(() ->
              snapshot(monitor).events().stream()
                  .anyMatch(event -> event.reason().equals("GpuXid")));
      NodeSnapshot after = snapshot(monitor);
      assertThat(after.events()).extracting(NodeEvent::reason).containsExactly("GpuXid");
      assertThat(after.conditions())
          .extracting(Condition::status)
          .doesNotContain(ConditionStatus.TRUE);
    }
  }
}
