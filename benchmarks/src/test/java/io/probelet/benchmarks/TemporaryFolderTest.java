package io.probelet.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TemporaryFolderTest {
  @TempDir Path directory;

  @Test
  void deletesWhatIsInItAndNothingElse() throws IOException {
    Path other = Files.createDirectory(directory.resolve("other"));
    Path kept = Files.createFile(other.resolve("kept"));
    Path folder = Files.createDirectory(directory.resolve("bench"));
    Files.createFile(Files.createDirectories(folder.resolve("a/b")).resolve("log"));
    Files.createSymbolicLink(folder.resolve("link"), other);

    TemporaryFolder.delete(folder);

    assertThat(folder).doesNotExist();
    assertThat(kept).exists();
  }

  @Test
  void isDeletedWhenTheProgramFails() throws Exception {
    Process program =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                Failing.class.getName())
            .redirectErrorStream(true)
            .start();
    List<String> lines = program.inputReader().lines().toList();

    assertThat(program.waitFor()).isOne();
    assertThat(lines).anyMatch(line -> line.contains("failed in " + directory));
    assertThat(directory).isEmptyDirectory();
  }

  /** Ends with an exception. */
  static final class Failing {
    private Failing() {}

    public static void main(String[] args) throws IOException {
      Path folder = TemporaryFolder.create();
      Files.createFile(folder.resolve("log"));
      throw new IllegalStateException("failed in " + folder);
    }
  }
}
