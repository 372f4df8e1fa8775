package io.probelet.runtime.process;

import static io.probelet.runtime.Patience.await;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
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
  private ProcessLauncher launcher;

  @BeforeEach
  void open() throws Exception {
    guard = new ProcessGuard();
    launcher = new ProcessLauncher(ProcessGroups.load(), guard);
  }

  @AfterEach
  void close() {
    guard.close();
  }

  @Test
  @DisplayName("let go, the guard ends what it knows: TERM first, then KILL, grandchildren too")
  void endsWhatItKnows() throws Exception {
    GroupProcess polite = launch("trap 'echo bye > bye; exit' TERM; echo > 1; sleep 60 & wait");
    GroupProcess rude = launch("trap '' TERM; echo > 2; sleep 60 & sleep 60");
    await().until(() -> Files.exists(dir.resolve("1")) && Files.exists(dir.resolve("2")));
    guard.close();
    polite.waitFor();
    assertThat(dir.resolve("bye")).exists();
    assertThat(rude.waitFor()).isEqualTo(137);
    await().until(() -> Processes.group(rude.pid()).isEmpty());
  }

  @Test
  @DisplayName("what ended before is none of the guard's business any more")
  void forgetsWhatEnded() throws Exception {
    GroupProcess ended = launch("exit 5");
    assertThat(ended.waitFor()).isEqualTo(5);
    GroupProcess kept = launch("echo > 1; sleep 60");
    GroupProcess stranger = new GroupProcess(stranger(), ProcessGroups.load(), () -> {});
    guard.add(stranger.pid());
    guard.remove(stranger.pid());
    guard.close();
    kept.waitFor();
    assertThat(stranger.isAlive()).isTrue();
    stranger.destroy();
  }

  @Test
  @DisplayName("a guard that is killed is replaced, and the new one knows everybody")
  void isReplaced() throws Exception {
    GroupProcess before = launch("sleep 60");
    long first = guard.pid();
    assertThat(ProcessHandle.of(first).orElseThrow().destroyForcibly()).isTrue();
    await().until(() -> guard.pid() != first && guard.pid() > 0);
    GroupProcess after = launch("sleep 60");
    guard.close();
    assertThat(before.waitFor()).isEqualTo(143);
    assertThat(after.waitFor()).isEqualTo(143);
  }

  @Test
  @DisplayName("the guard is deaf to signals meant for others")
  void heedsNoSignal() {
    assertThat(ProcessHandle.of(guard.pid()).orElseThrow().destroy()).isTrue();
    assertThat(ProcessHandle.of(guard.pid()).orElseThrow().isAlive()).isTrue();
  }

  private GroupProcess launch(String script) throws IOException {
    return launcher.launch(
        new ContainerCommand(
            List.of("/bin/sh", "-c", script), Map.of("PATH", System.getenv("PATH")), dir),
        new Confined(List.of(), null, null),
        Redirect.DISCARD);
  }

  private static Process stranger() throws IOException {
    return new ProcessBuilder("setsid", "sleep", "60").start();
  }
}
