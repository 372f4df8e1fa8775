package io.probelet.monitor.plugin;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.ConditionStatus;
import io.probelet.health.SystemClock;
import io.probelet.monitor.check.Machine;
import io.probelet.monitor.journal.JournalAccess;
import io.probelet.monitor.rule.Consequence;
import io.probelet.monitor.rule.Consequence.EvidenceThreshold;
import io.probelet.monitor.rule.Monitor.PluginRule;
import io.probelet.monitor.rule.PluginProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PluginRunTest {
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  @TempDir Path dir;

  private Path script(String body) throws Exception {
    Path script = dir.resolve("plugin.sh");
    Files.writeString(script, "#!/bin/sh\n" + body + "\n");
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return script;
  }

  private static PluginResult run(Path path, Duration timeout, int length, String... args)
      throws InterruptedException {
    return new PluginRun(
            new PluginRule(
                new Consequence.EventOnly("R", EvidenceThreshold.NONE),
                path.toString(),
                List.of(args),
                timeout,
                Duration.ofSeconds(1),
                PluginProcess.DEFAULT),
            length,
            new BuiltIns(
                Machine.of(
                    Path.of("/"), path, Optional.empty(), SystemClock.INSTANCE, new Random(1)),
                JournalAccess.USUAL,
                () -> Instant.EPOCH,
                Map.of()))
        .run();
  }

  @ParameterizedTest
  @CsvSource({
    "exit 0, FALSE",
    "exit 1, TRUE",
    "exit 2, UNKNOWN",
    "exit 137, UNKNOWN",
    "kill -9 $$, UNKNOWN"
  })
  @DisplayName("A-6, NM-4 exit 0 is False, 1 is True, anything else Unknown")
  void exitCodes(String body, ConditionStatus status) throws Exception {
    assertThat(run(script("echo said; " + body), TIMEOUT, 80))
        .isEqualTo(new PluginResult.Ran(status, "said", false));
  }

  @Test
  @DisplayName("A-6, NM-4 a plugin that hangs is Unknown and its whole group is dead")
  void hangs() throws Exception {
    Path pids = dir.resolve("pids");
    Path script = script("sleep 1000 & echo $! $$ >" + pids + "; echo started; wait");
    PluginResult.Ran result = (PluginResult.Ran) run(script, SHORT, 80);
    assertThat(result.status()).isEqualTo(UNKNOWN);
    assertThat(result.timedOut()).isTrue();
    assertThat(result.message()).isEqualTo("no answer from " + script + " within 500ms");

    // A busy machine may take longer than that to begin.
    for (Duration more = SHORT; !isWritten(pids); more = more.multipliedBy(2)) {
      run(script, more, 80);
    }
    for (String pid : Files.readString(pids).strip().split(" ", -1)) {
      await().until(() -> isGone(pid));
    }
  }

  private static boolean isWritten(Path file) throws IOException {
    return Files.exists(file) && Files.readString(file).endsWith("\n");
  }

  /** A killed child whose parent is gone may stay a zombie where nobody reaps. */
  private static boolean isGone(String pid) throws Exception {
    Path stat = Path.of("/proc", pid, "stat");
    return !Files.exists(stat) || Files.readString(stat).contains(") Z ");
  }

  @Test
  @Timeout(300)
  @DisplayName("NM-5 a plugin that prints 1 MiB ends by itself and gives 80 bytes")
  void floods() throws Exception {
    PluginResult.Ran result =
        (PluginResult.Ran)
            run(
                script(
                    "head -c 1048576 /dev/zero | tr '\\0' x; head -c 1048576 /dev/zero >&2; exit 1"),
                TIMEOUT,
                80);
    assertThat(result).isEqualTo(new PluginResult.Ran(TRUE, "x".repeat(80), false));
  }

  @Test
  @Timeout(300)
  @DisplayName("A-6 a child that keeps the output open does not block the run")
  void leavesChildBehind() throws Exception {
    Path pid = dir.resolve("pid");
    // In a session of its own, it is killed with nobody's group.
    String child = "setsid sh -c 'echo $$ >%s; exec sleep 1000' &";
    String wait = "while ! [ -s %s ]; do sleep 0.1; done; echo done";
    Path script = script((child + wait).formatted(pid, pid));
    try {
      assertThat(run(script, TIMEOUT, 80)).isEqualTo(new PluginResult.Ran(FALSE, "done", false));
    } finally {
      await().until(() -> isWritten(pid));
      ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
          .ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  @ParameterizedTest
  @CsvSource({"1, ''", "2, ä", "3, ä", "4, äö", "80, äöü"})
  @DisplayName("A-6 the message is never cut inside a character")
  void wholeCharacters(int length, String message) throws Exception {
    assertThat(run(script("printf '  äöü\\n\\n'"), TIMEOUT, length))
        .isEqualTo(new PluginResult.Ran(FALSE, message, false));
  }

  @Test
  @DisplayName("A-5 arguments are passed unchanged; B-14 the output is cleaned")
  void argumentsAndOutput() throws Exception {
    assertThat(
            run(script("printf '%s|' \"$@\"; printf '\\033[31m%%d'"), TIMEOUT, 80, "a b", "$HOME"))
        .isEqualTo(new PluginResult.Ran(FALSE, "a b|$HOME|%d", false));
  }

  @Test
  @DisplayName("B-5 a missing plugin does not run")
  void missing() throws Exception {
    Path nowhere = dir.resolve("nowhere");
    assertThat(run(nowhere, SHORT, 80))
        .isEqualTo(new PluginResult.NotRun(nowhere + " does not exist"));
    Path plain = Files.writeString(dir.resolve("plain"), "x");
    assertThat(run(plain, SHORT, 80))
        .isEqualTo(new PluginResult.NotExecutable(plain + " is not executable"));
  }
}
