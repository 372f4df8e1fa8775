package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The operating system tells of manifests that change, and not of anything else. */
class WatchedDirectoriesTest {

  private static final Duration LONG = Duration.ofMinutes(1);
  private static final Duration SHORT = Duration.ofMillis(300);

  @TempDir private Path folder;

  @ParameterizedTest
  @ValueSource(strings = {"a.yaml", "a.yml", "a.json", "..data"})
  void namesThatMatter(String name) throws Exception {
    try (FolderSignal signal = watch(folder)) {
      Files.createFile(folder.resolve(name));
      assertThat(signal.await(LONG)).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.txt", "a.yaml.swp", ".a.yaml", "a.yaml~", "4913"})
  void namesThatDoNot(String name) throws Exception {
    try (FolderSignal signal = watch(folder)) {
      Files.createFile(folder.resolve(name));
      assertThat(signal.await(SHORT)).isFalse();
    }
  }

  @Test
  void aFileNamedByItselfMattersWhateverItsName() throws Exception {
    try (FolderSignal signal = watch(folder.resolve("pod.txt"))) {
      Files.createFile(folder.resolve("pod.txt"));
      assertThat(signal.await(LONG)).isTrue();
    }
  }

  @Test
  void aDirectoryMadeAnewIsWatchedAgain() throws Exception {
    Path inner = Files.createDirectory(folder.resolve("inner"));
    try (FolderSignal signal = watch(inner)) {
      Files.delete(inner);
      assertThat(signal.await(LONG)).as("it is gone").isTrue();
      Files.createDirectory(inner);
      while (signal.await(SHORT)) {
        // what else the change of directories brings
      }
      Files.createFile(inner.resolve("a.yaml"));
      assertThat(signal.await(LONG)).isTrue();
    }
  }

  private static FolderSignal watch(Path path) throws IOException {
    return WatchedDirectories.of(List.of(path), SystemClock.INSTANCE);
  }
}
