package io.probelet.monitor.node;

import static io.probelet.monitor.MonitorFiles.example;
import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.rule.Monitor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Monitor files that change while they are watched by. */
@Timeout(300)
class ReloadTest {
  @TempDir Path dir;
  private Path kmsg;
  private Path runs;
  private MonitorSettings settings;
  private NodeMonitor monitor;

  @BeforeEach
  void begin() throws Exception {
    kmsg = Files.createFile(dir.resolve("kmsg"));
    runs = Files.createFile(dir.resolve("runs"));
    settings =
        new MonitorSettings(
            dir.resolve("state.json"),
            kmsg,
            JournalAccess.USUAL,
            Machine.of(Path.of("/"), dir, Optional.empty(), SystemClock.INSTANCE, new Random(1)),
            ZoneOffset.UTC);
    monitor = new NodeMonitor(settings, SystemClock.INSTANCE);
  }

  @AfterEach
  void end() {
    monitor.close();
  }

  private static void append(Path file, String lines) throws Exception {
    Files.writeString(file, lines, StandardOpenOption.APPEND);
  }

  private NodeSnapshot snapshot() throws Exception {
    return monitor.snapshot().get(1, TimeUnit.MINUTES);
  }

  private void awaitReads(String source, long reads) {
    await()
        .until(() ->
            snapshot().sources().stream()
                .anyMatch(each -> each.source().equals(source) && each.reads() == reads));
  }

  private void awaitReading() {
    await().until(() -> snapshot().conditions().size() == 1);
  }

  /** A plugin that is due once an hour. */
  private Monitor hourly() {
    return plugin("hourly", "echo run >> " + runs);
  }

  private static Monitor plugin(String source, String command) {
    return read(
        """
        {'plugin': 'custom', 'source': '%s',
         'pluginConfig': {'invoke_interval': '1h', 'timeout': '1m'},
         'conditions': [{'type': 'Sick', 'reason': 'Well', 'message': 'is well'}],
         'rules': [{'type': 'permanent', 'condition': 'Sick', 'reason': 'Ill', 'path': '/bin/sh',
                    'args': ['-c', '%s']}]}\
        """
            .formatted(source, command));
  }

  /** Two oops within an hour are an event. */
  private Monitor kernel(String rules) {
    return read(
        """
        {'plugin': 'kmsg', 'source': 'kernel',
         'conditions': [{'type': 'Down', 'reason': 'Up', 'message': 'is up'}],
         'rules': [{'type': 'permanent', 'condition': 'Down', 'reason': 'NoCarrier', 'pattern': 'down'},
           {'type': 'temporary', 'reason': 'Oops', 'pattern': 'oops', 'minCount': 2, 'window': '1h'}
           %s]}\
        """
            .formatted(rules));
  }

  private Monitor file(Path log) {
    return read(
        """
        {'plugin': 'filelog', 'source': 'file', 'logPath': '%s',
         'pluginConfig': {'timestamp': '^.{19}', 'message': '.*',
                          'timestampFormat': '2006-01-02T15:04:05'},
         'conditions': [{'type': 'Down', 'reason': 'Up', 'message': 'is up'}],
         'rules': [{'type': 'permanent', 'condition': 'Down', 'reason': 'NoCarrier', 'pattern': 'down'}]}\
        """
            .formatted(log));
  }

  @ParameterizedTest
  @ValueSource(strings = {"kernel-monitor.json", "ntp-monitor.json"})
  @DisplayName("B-12 a file with the same content is the same monitor")
  void equality(String name) {
    assertThat(read(example(name))).isEqualTo(read(example(name)));
    assertThat(file(Path.of("/x"))).isEqualTo(file(Path.of("/x")));
  }

  @Test
  @DisplayName("B-12 an unchanged monitor is not disturbed when others change")
  void undisturbed() throws Exception {
    Path log = Files.createFile(dir.resolve("log"));
    monitor.watch(List.of(hourly(), file(log)));
    awaitReads("hourly", 1);
    monitor.watch(List.of(hourly(), file(log)));
    Monitor later = plugin("later", "exit 0");
    monitor.watch(List.of(later, file(log), hourly()));
    awaitReads("later", 1);
    assertThat(Files.readAllLines(runs)).hasSize(1);
    assertThat(snapshot().sources()).extracting(SourceView::source).endsWith("file", "hourly");
  }

  @Test
  @DisplayName("B-12 a monitor that has changed keeps its counters and the matches it counts")
  void keepsCounts() throws Exception {
    monitor.watch(List.of(kernel("")));
    awaitReading();
    append(kmsg, "down\noops\n");
    awaitReads("kernel", 2);
    monitor.watch(List.of(kernel(",{'type':'temporary','reason':'New','pattern':'new'}")));
    append(kmsg, "oops\nnew\n");
    await().until(() -> snapshot().problemCounts().getOrDefault("New", 0L) == 1);
    assertThat(snapshot().problemCounts()).containsEntry("NoCarrier", 1L).containsEntry("Oops", 1L);
    awaitReads("kernel", 4);
  }

  @Test
  @DisplayName("B-15 minCount of an event counts for each device by itself")
  void eventsOfDevices() throws Exception {
    monitor.watch(
        List.of(
            kernel(
                ",{'type':'temporary','reason':'Lost','pattern':'(?P<device>eth[0-9]) lost',"
                    + "'minCount':2,'window':'1h'}")));
    awaitReading();
    append(kmsg, "eth0 lost\neth1 lost\ndown\n");
    await().until(() -> snapshot().problemCounts().getOrDefault("NoCarrier", 0L) == 1);
    assertThat(snapshot().problemCounts()).containsEntry("Lost", 0L);
    append(kmsg, "eth1 lost\n");
    await().until(() -> snapshot().problemCounts().getOrDefault("Lost", 0L) == 1);
  }

  @Test
  @DisplayName("B-4 a restart forgets none of the matches that an event counts")
  void countsOverARestart() throws Exception {
    monitor.watch(List.of(kernel("")));
    awaitReading();
    append(kmsg, "oops\ndown\n");
    await().until(() -> snapshot().problemCounts().getOrDefault("NoCarrier", 0L) == 1);
    monitor.close();
    monitor = new NodeMonitor(settings, SystemClock.INSTANCE);
    monitor.watch(List.of(kernel("")));
    awaitReading();
    append(kmsg, "oops\n");
    await().until(() -> snapshot().problemCounts().getOrDefault("Oops", 0L) == 1);
  }

  @Test
  @DisplayName("B-12 what only a removed rule reported is cleared")
  void ruleGone() throws Exception {
    Monitor other =
        read(
            """
            {'plugin': 'kmsg', 'source': 'other',
             'conditions': [{'type': 'Down', 'reason': 'Up', 'message': 'is up'}],
             'rules': [{'type':'permanent','condition':'Down','reason':'Other','pattern':'other'}]}\
            """);
    monitor.watch(List.of(kernel(""), other));
    awaitReading();
    append(kmsg, "down\n");
    await().until(() -> snapshot().conditions().getFirst().reason().equals("NoCarrier"));
    monitor.watch(List.of(other));
    await().until(() -> snapshot().conditions().getFirst().reason().equals("Up"));
  }

  @Test
  @DisplayName("B-12 a different log does not start at the previous log's position")
  void anotherLog() throws Exception {
    Path first = Files.createFile(dir.resolve("first"));
    Path second = Files.writeString(dir.resolve("second"), "2026-01-01T00:00:00 down\n");
    monitor.watch(List.of(file(first)));
    awaitReading();
    append(first, "2099-01-01T00:00:00 x\n");
    awaitReads("file", 1);
    monitor.watch(List.of(file(second)));
    await().until(() -> snapshot().sources().getFirst().trouble().isEmpty());
    append(second, "2099-01-01T00:00:00 y\n");
    awaitReads("file", 2);
    assertThat(snapshot().conditions().getFirst().reason()).isEqualTo("Up");
  }

  @Test
  @DisplayName("B-12, B-25 an expression follows the conditions, and a changed one counts at once")
  void expression() throws Exception {
    Monitor sick = plugin("sick", "exit 1");
    monitor.watch(List.of(expression("conditions.Sick.status == 'True'"), sick));
    awaitUnusable("True");
    monitor.watch(List.of(sick, expression("conditions.Sick.reason == 'Other'")));
    awaitUnusable("False");
    monitor.watch(List.of(sick));
    await().until(() -> snapshot().conditions().size() == 1);
  }

  private static Monitor expression(String when) {
    return read(
        """
        {'plugin': 'expression', 'conditions': [
           {'type': 'Unusable', 'reason': 'Usable', 'message': 'works'}],
         'rules': [{'condition': 'Unusable', 'reason': 'Fails', 'message': 'fails', 'when': '%s'}]}\
        """
            .formatted(when.replace("'", "\\\"")));
  }

  private void awaitUnusable(String status) {
    await()
        .until(() ->
            snapshot().conditions().stream()
                .anyMatch(each ->
                    each.type().equals("Unusable") && each.status().toString().equals(status)));
  }
}
