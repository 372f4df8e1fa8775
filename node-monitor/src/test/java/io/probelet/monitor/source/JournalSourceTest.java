package io.probelet.monitor.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import io.probelet.monitor.journal.JournalWriter;
import io.probelet.monitor.rule.DefaultMonitors;
import io.probelet.monitor.rule.LogInput;
import io.probelet.monitor.rule.Monitor;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Real files of a journal, read by the libsystemd that is installed. */
@Timeout(300)
class JournalSourceTest {
  private static final Instant AT = Instant.ofEpochSecond(2_000_000);

  /** The node's root, as a container sees it. */
  @TempDir Path root;

  private Path machine() {
    return root.resolve("var/log/journal").resolve(JournalWriter.MACHINE);
  }

  private JournalWriter writer() throws Exception {
    return new JournalWriter(machine().resolve("system.journal"));
  }

  private JournalSource source(String position) {
    return source(new JournalPlace(root, ""), position);
  }

  private static JournalSource source(JournalPlace place, String position) {
    return new JournalSource(
        JournalAccess.USUAL.library().orElseThrow(),
        place,
        new JournalOrigin.Identifier("kubelet"),
        Instant.ofEpochSecond(1000),
        position,
        SystemClock.INSTANCE);
  }

  @Test
  @DisplayName("A-1 journald: one identifier, from the given time, with the entries' own times")
  void follows() throws Exception {
    try (JournalWriter writer = writer()) {
      writer.log("kubelet", "too old", Instant.ofEpochSecond(999));
      writer.log("kubelet", " Started ", AT.plusNanos(5000)).log("sshd", "Started", AT);
      await().until(() -> Files.exists(machine().resolve("system.journal")));
      JournalSource source = source("");
      try (CollectedLines lines = new CollectedLines(source)) {
        await().until(() -> lines.upToDate || !lines.failure.isEmpty());
        await().untilAsserted(() -> assertThat(lines.all).containsExactly("Started"));
        assertThat(lines.times).containsExactly(AT.plusNanos(5000));
        writer.log("kubelet", "hä\nzwei", AT.plusSeconds(1)).log("crond", "x", AT.plusSeconds(2));
        await().until(() -> lines.all.size() == 2);
        assertThat(lines.all).endsWith("hä\nzwei");
        assertThat(lines.gaps).isEmpty();
        assertThat(lines.failure).isEmpty();
      }
      assertThat(source.position()).startsWith("s=");
    }
  }

  @Test
  @DisplayName("A-11 anyone may log under systemd's name; journald's own fields are trusted")
  void forged() throws Exception {
    try (JournalWriter writer = writer()) {
      String[] names = {"SYSLOG_IDENTIFIER", "systemd", "MESSAGE"};
      writer.entry(AT, JournalWriter.MACHINE, with(names, "forged by nobody"));
      writer.entry(
          AT,
          JournalWriter.MACHINE,
          with(names, "forged", "_PID", "4242", "_UID", "65534", "_TRANSPORT", "journal"));
      writer.entry(
          AT,
          JournalWriter.MACHINE,
          with(names, "forged by syslog", "_PID", "1", "_UID", "0", "_TRANSPORT", "syslog"));
      writer.entry(
          AT,
          JournalWriter.MACHINE,
          with(names, "genuine", "_PID", "1", "_UID", "0", "_TRANSPORT", "journal"));
    }
    Monitor.Log services = services();
    LogInput.Journal input = (LogInput.Journal) services.input();
    JournalSource source =
        new JournalSource(
            JournalAccess.USUAL.library().orElseThrow(),
            new JournalPlace(root, ""),
            new JournalOrigin.Identifier(input.identifier(), input.fields()),
            Instant.ofEpochSecond(1000),
            "",
            SystemClock.INSTANCE);
    try (CollectedLines lines = new CollectedLines(source)) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("genuine");
    }
  }

  private static Monitor.Log services() {
    return DefaultMonitors.with(List.of()).stream()
        .filter(Monitor.Log.class::isInstance)
        .map(Monitor.Log.class::cast)
        .filter(monitor -> monitor.input() instanceof LogInput.Journal)
        .findFirst()
        .orElseThrow();
  }

  private static String[] with(String[] names, String message, String... trusted) {
    return Stream.of(Stream.of(names), Stream.of(message), Stream.of(trusted))
        .flatMap(Function.identity())
        .toArray(String[]::new);
  }

  @Test
  @DisplayName("B-4 a restart continues after the last entry read, also in a rotated file")
  void goesOn() throws Exception {
    try (JournalWriter writer = writer()) {
      writer.log("kubelet", "one", AT).log("kubelet", "two", AT.plusSeconds(1));
      writer.log("kubelet", "three", AT.plusSeconds(2));
    }
    JournalSource first = source("");
    try (CollectedLines lines = new CollectedLines(first)) {
      await().until(() -> lines.all.size() == 3);
    }
    Files.move(machine().resolve("system.journal"), machine().resolve("system@1.journal"));
    try (JournalWriter writer = writer()) {
      writer.log("kubelet", "four", AT.plusSeconds(3));
    }
    try (CollectedLines lines = new CollectedLines(source(first.position()))) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("four");
      assertThat(lines.gaps).isEmpty();
    }
  }

  @Test
  @DisplayName("B-4 if the last entry was deleted, reading continues with the rest and reports it")
  void deleted() throws Exception {
    try (JournalWriter writer = writer()) {
      writer.log("kubelet", "one", AT);
    }
    JournalSource first = source("");
    try (CollectedLines lines = new CollectedLines(first)) {
      await().until(() -> lines.all.size() == 1);
    }
    Files.delete(machine().resolve("system.journal"));
    try (JournalWriter writer = writer()) {
      writer.log("kubelet", "nine", AT.plusSeconds(9));
    }
    try (CollectedLines lines = new CollectedLines(source(first.position()))) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("nine");
      assertThat(lines.gaps).singleElement().asString().contains("was removed from the journal");
    }
  }

  @Test
  @DisplayName("B-4 an invalid cursor is reported, and the lookback is read again")
  void noCursor() throws Exception {
    try (JournalWriter writer = writer()) {
      writer.log("kubelet", "one", AT);
    }
    for (String wrong : new String[] {"4711 + 8", "s=" + "0".repeat(10_000), "s=1;i=\0"}) {
      try (CollectedLines lines = new CollectedLines(source(wrong))) {
        await().until(() -> lines.upToDate);
        assertThat(lines.all).containsExactly("one");
        assertThat(lines.gaps).singleElement().asString().contains("is invalid");
      }
    }
  }

  @Test
  @DisplayName("B-14 4 KiB of a long message are read, nothing of an entry without one")
  void hostileEntries() throws Exception {
    try (JournalWriter writer = writer()) {
      writer.log("kubelet", "x".repeat(1 << 20), AT);
      writer.log("kubelet", "y".repeat(4000), AT);
      writer.log("kubelet", new String(new byte[] {'z', 0, 'z'}, StandardCharsets.UTF_8), AT);
      writer.entry(AT, JournalWriter.MACHINE, "SYSLOG_IDENTIFIER", "kubelet", "PRIORITY", "1");
      String[] fields = new String[800];
      for (int at = 0; at < fields.length; at += 2) {
        fields[at] = "F" + at;
        fields[at + 1] = "v";
      }
      fields[798] = "MESSAGE";
      fields[796] = "SYSLOG_IDENTIFIER";
      fields[797] = "kubelet";
      writer.entry(AT, JournalWriter.MACHINE, fields);
    }
    try (CollectedLines lines = new CollectedLines(source(""))) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("x".repeat(4096), "y".repeat(4000), "z\0z", "", "v");
    }
  }

  @Test
  @DisplayName("journals of other machines are ignored")
  void otherMachines() throws Exception {
    String other = "f".repeat(32);
    Path file = root.resolve("var/log/journal").resolve(other).resolve("system.journal");
    try (JournalWriter writer = new JournalWriter(file)) {
      writer.entry(AT, other, "SYSLOG_IDENTIFIER", "kubelet", "MESSAGE", "of a container");
    }
    try (JournalWriter writer = writer()) {
      writer.log("kubelet", "of the node", AT);
    }
    Files.createDirectories(root.resolve("etc"));
    Files.writeString(root.resolve("etc/machine-id"), JournalWriter.MACHINE + "\n");
    try (CollectedLines lines = new CollectedLines(source(""))) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("of the node");
    }
    JournalPlace named = new JournalPlace(root, "/var/log/journal");
    try (CollectedLines lines = new CollectedLines(source(named, ""))) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactlyInAnyOrder("of a container", "of the node");
    }
  }

  @Test
  @DisplayName("B-5, B-15 a missing or unreadable journal is an error")
  void unreadable() throws Exception {
    try (CollectedLines lines = new CollectedLines(source(""))) {
      await().until(() -> !lines.failure.isEmpty());
      assertThat(lines.failure)
          .isEqualTo(
              "cannot read the journal: none found in %s/run/log/journal or %s/var/log/journal"
                  .formatted(root, root));
    }
    Files.createDirectories(machine());
    Files.write(machine().resolve("system.journal"), new byte[8192]);
    try (CollectedLines lines = new CollectedLines(source(""))) {
      await().until(() -> !lines.failure.isEmpty());
      assertThat(lines.failure).contains("all its files are corrupt, or");
      assertThat(lines.upToDate).isFalse();
    }
  }

  @Test
  @DisplayName("a file with random damage ends in lines, gaps or an error, never otherwise")
  void damaged() throws Exception {
    try (JournalWriter writer = writer()) {
      for (int at = 0; at < 300; at++) {
        writer.log("kubelet", "line " + at + " " + "x".repeat(at * 5), AT.plusSeconds(at));
      }
    }
    Path file = machine().resolve("system.journal");
    byte[] whole = Files.readAllBytes(file);
    Random random = new Random(17);
    for (int round = 0; round < 5; round++) {
      // Within what is written: the rest of the file is room for more.
      int[] places = IntStream.range(0, 40).map(_ -> random.nextInt(300, 200_000)).toArray();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.write(ByteBuffer.wrap(whole), 0);
        for (int place : places) {
          channel.write(ByteBuffer.wrap(new byte[] {(byte) random.nextInt()}), place);
        }
      }
      try (CollectedLines lines = new CollectedLines(source(""))) {
        await().until(() -> lines.upToDate || !lines.failure.isEmpty());
        assertThat(lines.all).hasSizeLessThanOrEqualTo(300);
      }
    }
  }
}
