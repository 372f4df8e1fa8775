package io.probelet.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(240)
class ProcessGuardTest {
  @TempDir private Path dir;
  private ProcessGuard guard;
  private ProcessGroups groups;

  @BeforeEach
  void open() throws Exception {
    guard = new ProcessGuard();
    groups = ProcessGroups.load();
  }

  @AfterEach
  void close() {
    guard.close();
  }

  @Test
  @DisplayName("a released guard ends its groups: TERM first, then KILL, including grandchildren")
  void endsWhatItKnows() throws Exception {
    ProcessGroup polite = launch("trap 'echo bye > bye; exit' TERM; echo > 1; sleep 60 & wait");
    ProcessGroup rude = launch("trap '' TERM; echo > 2; sleep 60 & sleep 60");
    await().until(() -> Files.exists(dir.resolve("1")) && Files.exists(dir.resolve("2")));
    guard.close();
    polite.waitFor();
    assertThat(dir.resolve("bye")).exists();
    assertThat(rude.waitFor()).isEqualTo(137);
    await().until(() -> Processes.group(rude.pid()).isEmpty());
  }

  @Test
  @DisplayName("the guard ignores groups that ended before")
  void forgetsWhatEnded() throws Exception {
    ProcessGroup ended = launch("exit 5");
    assertThat(ended.waitFor()).isEqualTo(5);
    ProcessGroup kept = launch("echo > 1; sleep 60");
    ProcessGroup stranger = groups.start(command("exec sleep 60"), ProcessOutput.NONE);
    guard.enter(stranger.pid());
    guard.left(stranger.pid());
    guard.close();
    kept.waitFor();
    assertThat(stranger.isAlive()).isTrue();
    stranger.kill();
  }

  @Test
  @DisplayName("a killed guard is replaced, and the new one knows all groups")
  void isReplaced() throws Exception {
    ProcessGroup before = launch("sleep 60");
    long first = guard.pid();
    assertThat(ProcessHandle.of(first).orElseThrow().destroyForcibly()).isTrue();
    await().until(() -> guard.pid() != first && guard.pid() > 0);
    ProcessGroup after = launch("sleep 60");
    guard.close();
    assertThat(before.waitFor()).isEqualTo(143);
    assertThat(after.waitFor()).isEqualTo(143);
  }

  @Test
  @DisplayName("the guard ignores signals for other processes")
  void heedsNoSignal() {
    assertThat(ProcessHandle.of(guard.pid()).orElseThrow().destroy()).isTrue();
    assertThat(ProcessHandle.of(guard.pid()).orElseThrow().isAlive()).isTrue();
  }

  private ProcessGroup launch(String script) throws IOException {
    return groups.start(command("read -r _ && { " + script + "; }"), ProcessOutput.NONE, guard);
  }

  private GroupCommand command(String script) {
    return new GroupCommand(
        List.of("setsid", "/bin/sh", "-c", script), Map.of("PATH", System.getenv("PATH")), dir);
  }
}
