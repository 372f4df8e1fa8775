package io.probelet.agent.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A full disk or an unfinished copy leaves an empty file, which does not mean the default. */
class LiveConfigurationTest {
  @TempDir Path folder;

  @Test
  void refusesEmptiedFileAndTakesDefaultThatIsWritten() throws Exception {
    Path file = Files.writeString(folder.resolve("agent.yaml"), "runtime: {execHold: 7m}");
    BlockingQueue<String> refused = new LinkedBlockingQueue<>();
    BlockingQueue<AgentConfiguration> taken = new LinkedBlockingQueue<>();
    try (LiveConfiguration live =
        new LiveConfiguration(file, UnaryOperator.identity(), SystemClock.INSTANCE)) {
      live.whenRefused(refused::add);
      live.whenChanged(whole -> whole, taken::add);
      live.follow();

      replace(file, " \n");
      assertThat(refused.poll(1, TimeUnit.MINUTES))
          .contains(file + ": ")
          .contains("is empty; for the default, write {}");
      assertThat(live.now().execHold()).hasMinutes(7);

      replace(file, "{}");
      assertThat(taken.poll(1, TimeUnit.MINUTES)).isEqualTo(AgentConfiguration.DEFAULT);
    }
  }

  @Test
  void startsWithEmptyFile() throws Exception {
    Path file = Files.writeString(folder.resolve("agent.yaml"), "");
    try (LiveConfiguration live =
        new LiveConfiguration(file, UnaryOperator.identity(), SystemClock.INSTANCE)) {
      assertThat(live.now()).isEqualTo(AgentConfiguration.DEFAULT);
    }
  }

  private void replace(Path file, String text) throws Exception {
    Path copy = Files.writeString(folder.resolve("copy"), text);
    Files.move(copy, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
