package io.probelet.monitor.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.SystemClock;
import io.probelet.monitor.journal.JournalOrigin;
import io.probelet.monitor.journal.JournalPlace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalctlSourceTest {
  @TempDir Path dir;
  @TempDir Path journal;

  /** A journalctl of our own, which writes down how it was called. */
  private String journalctl(String body) throws Exception {
    Path script = dir.resolve("journalctl");
    Files.writeString(script, "#!/bin/sh\necho \"$@\" >" + dir.resolve("args") + "\n" + body);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script.toString();
  }

  private String args() throws Exception {
    Path args = dir.resolve("args");
    return Files.exists(args) ? Files.readString(args) : "";
  }

  private JournalctlSource source(String program, String position) throws IOException {
    Path machine = Files.createDirectories(journal.resolve("0123456789abcdef"));
    Files.write(machine.resolve("system.journal"), new byte[0]);
    return empty(program, position);
  }

  private JournalctlSource empty(String program, String position) {
    return new JournalctlSource(
        program,
        new JournalPlace(Path.of("/"), journal.toString()),
        new JournalOrigin.Identifier("kubelet"),
        Instant.ofEpochSecond(1000),
        position,
        SystemClock.INSTANCE);
  }

  @Test
  @DisplayName("A-1 journald: one identifier, from the given time, with the entries' own times")
  void follows() throws Exception {
    String program =
        journalctl(
            """
            echo '{"__CURSOR":"s=1","__REALTIME_TIMESTAMP":"2000000000000","MESSAGE":"Started"}'
            echo 'no json'
            echo '{"__CURSOR":"s=2","MESSAGE":[104,195,164]}'
            exec sleep 100
            """);
    JournalctlSource source = source(program, "");
    try (CollectedLines lines = new CollectedLines(source)) {
      await().until(() -> lines.upToDate && lines.all.size() == 2);
      assertThat(lines.all).containsExactly("Started", "hä");
      assertThat(lines.times.getFirst()).isEqualTo(Instant.ofEpochSecond(2_000_000));
      assertThat(lines.gaps).hasSize(1);
      await().until(source::position, "s=2"::equals);
    }
    assertThat(args())
        .contains("--follow", "--output=json", "--identifier=kubelet", "--since=@1000");
  }

  @Test
  @DisplayName("B-15 an empty folder is not a journal: its silence is an error")
  void noJournal() throws Exception {
    String program = journalctl("exec sleep 100\n");
    Files.createDirectories(journal.resolve("0123456789abcdef"));
    try (CollectedLines lines = new CollectedLines(empty(program, ""))) {
      await().until(() -> !lines.failure.isEmpty());
      assertThat(lines.failure).isEqualTo("cannot read the journal: none found in " + journal);
      assertThat(lines.upToDate).isFalse();
    }
    assertThat(args()).isEmpty();
  }

  @Test
  @DisplayName("A-11 fields set by journald are required with journalctl too")
  void trustedFields() throws Exception {
    Path machine = Files.createDirectories(journal.resolve("0123456789abcdef"));
    Files.write(machine.resolve("system.journal"), new byte[0]);
    JournalctlSource source =
        new JournalctlSource(
            journalctl("exec sleep 100\n"),
            new JournalPlace(Path.of("/"), journal.toString()),
            new JournalOrigin.Identifier("systemd", Map.of("_PID", "1", "_UID", "0")),
            Instant.ofEpochSecond(1000),
            "",
            SystemClock.INSTANCE);
    try (CollectedLines lines = new CollectedLines(source)) {
      await().until(() -> lines.upToDate);
      await().until(() -> args().endsWith("\n"));
    }
    assertThat(args()).contains("--identifier=systemd _PID=1 _UID=0");
  }

  @Test
  @DisplayName("B-4 a restart continues after the last entry read")
  void goesOn() throws Exception {
    try (CollectedLines lines = new CollectedLines(source(journalctl("exec sleep 100\n"), "s=7"))) {
      await().until(() -> lines.upToDate);
      await().until(() -> args().endsWith("\n")); // a shell may take longer to begin
    }
    assertThat(args()).contains("--after-cursor=s=7");
  }

  @Test
  @DisplayName("B-5 an unreadable journal is reported with journalctl's own message")
  void unreadable() throws Exception {
    String program = journalctl("echo 'No journal files were found.' >&2; exit 1\n");
    try (CollectedLines lines = new CollectedLines(source(program, ""))) {
      await().until(() -> !lines.failure.isEmpty());
      assertThat(lines.failure).endsWith("exited: No journal files were found.");
    }
    try (CollectedLines lines = new CollectedLines(source(dir.resolve("none").toString(), ""))) {
      await().until(() -> !lines.failure.isEmpty());
      assertThat(lines.failure)
          .startsWith("cannot read the journal: libsystemd is not installed, and ")
          .contains(" cannot be run: ");
    }
  }
}
