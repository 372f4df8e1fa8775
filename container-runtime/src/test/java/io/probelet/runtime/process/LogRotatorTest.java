package io.probelet.runtime.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.probelet.health.ManualClock;
import io.probelet.process.ProcessGroups;
import java.io.IOException;
import java.io.Writer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class LogRotatorTest {
  private static final int LIMIT = 64 << 10;

  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final ProcessGroups groups = ProcessGroups.load();
  private final LogRotator rotator = new LogRotator(new LogRotation(LIMIT, 3), groups, clock);

  @TempDir private Path dir;

  LogRotatorTest() throws IOException {}

  @Test
  @DisplayName("a file below the limit, or none at all, is left alone")
  void leavesAlone() throws Exception {
    Path log = dir.resolve("web.log");
    rotator.rotateIfFull(log);
    append(log, "x".repeat(LIMIT - 1));
    rotator.rotateIfFull(log);
    assertThat(files(dir)).containsExactly("web.log");
  }

  @Test
  @DisplayName("at most so many files are kept, the youngest ones")
  void keepsTheYoungest() throws Exception {
    Path log = dir.resolve("web.log");
    for (String text : List.of("a", "b", "c", "d")) {
      append(log, text.repeat(LIMIT + 1));
      rotator.rotateIfFull(log);
    }
    assertThat(files(dir)).containsExactly("web.log", "web.log.1", "web.log.2");
    assertThat(Files.readString(dir.resolve("web.log.1"))).contains("c").contains("d");
    assertThat(Files.readString(dir.resolve("web.log.2"))).contains("b").doesNotContain("d");
  }

  @Test
  @DisplayName("Attack: a container that writes hundreds of MiB between two checks")
  void boundsWhatFastWritersKeep() throws Exception {
    Path log = dir.resolve("web.log");
    long most = new LogRotation(LIMIT, 3).maxRotated();
    append(log, "a".repeat(LIMIT));
    rotator.rotateIfFull(log);
    append(log, "b".repeat(20 * LIMIT) + "c".repeat(LIMIT));
    rotator.rotateIfFull(log);
    assertThat(files(dir)).contains("web.log.1").doesNotContain("web.log.2");
    assertThat(Files.size(dir.resolve("web.log.1"))).isEqualTo(most);
    assertThat(Files.readString(dir.resolve("web.log.1")) + Files.readString(log))
        .matches("b+c{" + LIMIT + "}");
    append(log, "d".repeat(LIMIT));
    rotator.rotateIfFull(log);
    assertThat(files(dir)).contains("web.log.1").doesNotContain("web.log.2", "web.log.3");
    assertThat(LogStart.of(log).rotated() + Files.size(log)).isEqualTo(23L * LIMIT);
  }

  @Test
  void movesStartOfInstanceWithItsOutput() throws Exception {
    Path log = dir.resolve("web.log");
    append(log, "a".repeat(LIMIT - 10));
    LogStart.mark(log);
    append(log, "b".repeat(20));
    rotator.rotateIfFull(log);
    String kept = Files.readString(log);
    String all = Files.readString(dir.resolve("web.log.1")) + kept;
    int start = (int) LogStart.of(log).offset().orElseThrow() + all.length() - kept.length();
    assertThat(all.substring(start)).isEqualTo("b".repeat(20));
  }

  @Test
  @DisplayName("a copy onto a full disk fails and says why")
  void fullDisk() throws Exception {
    Path log = dir.resolve("web.log");
    append(log, "x".repeat(LIMIT));
    try (FileChannel from = FileChannel.open(log);
        FileChannel to = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
      assertThatThrownBy(() -> LogRotator.copy(from, 0, LIMIT, to))
          .hasMessageContaining("No space left");
    }
  }

  @Test
  @DisplayName("where no copy can be made nothing is lost, and it is tried again in a minute")
  void noCopy() throws Exception {
    Path log = dir.resolve("web.log");
    Path copy = dir.resolve("web.log.rotating");
    append(log, "x".repeat(LIMIT + 1));
    Path victim = Files.createFile(dir.resolve("victim"));
    Files.createSymbolicLink(copy, victim);
    assertThatThrownBy(() -> rotator.rotateIfFull(log)).hasMessageContaining("not a regular file");
    rotator.rotateIfFull(log);
    clock.advance(LogRotator.REST);
    assertThatThrownBy(() -> rotator.rotateIfFull(log)).hasMessageContaining("not a regular file");
    assertThat(victim).isEmptyFile();
    assertThat(log).hasSize(LIMIT + 1);

    Files.delete(copy);
    Files.delete(victim);
    clock.advance(LogRotator.REST);
    rotator.rotateIfFull(log);
    assertThat(files(dir)).containsExactly("web.log", "web.log.1");
  }

  @Test
  @Timeout(60)
  @DisplayName(
      "a file that somebody else empties while it is copied ends the copy, which is dropped")
  void shrinks() throws Exception {
    Path log = dir.resolve("web.log");
    Path copy = dir.resolve("copy");
    append(log, "x".repeat(LIMIT));
    try (FileChannel from = FileChannel.open(log);
        FileChannel to =
            FileChannel.open(copy, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      assertThatThrownBy(() -> LogRotator.copy(from, 0, LIMIT + 1, to))
          .hasMessageContaining("shorter");
    }
    assertThat(copy).isEmptyFile();
  }

  @Test
  @DisplayName("nothing is lost while a process goes on writing")
  void losesNothing() throws Exception {
    Path log = dir.resolve("web.log");
    Path probe = dir.resolve("probe");
    append(probe, "x".repeat(8192));
    assumeTrue(
        new ProcessBuilder("fallocate", "-c", "-o", "0", "-l", "4096", probe.toString())
                .start()
                .waitFor()
            == 0,
        "the file system cannot cut off the front of a file");
    Files.delete(probe);
    LogRotator all = new LogRotator(new LogRotation(LIMIT, 1000), groups, clock);
    // The last lines of each piece, which is more than the limit, may be written before or after
    // its rotation; only when there was one comes the next.
    String pieces =
        "i=0; while read -r end; do while [ $i -lt $end ]; do echo $i; i=$((i+1)); done; done";
    Process writer =
        new ProcessBuilder("/bin/sh", "-c", pieces)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    try (Writer orders = writer.outputWriter()) {
      for (int end = 30_000; end <= 300_000; end += 30_000) {
        orders.write(end + "\n");
        orders.flush();
        for (int before = files(dir).size(); files(dir).size() <= before; ) {
          all.rotateIfFull(log);
        }
      }
    }
    while (writer.isAlive()) {
      all.rotateIfFull(log);
    }
    List<String> names = files(dir);
    StringBuilder written = new StringBuilder();
    for (int i = names.size() - 1; i > 0; i--) {
      written.append(Files.readString(dir.resolve("web.log." + i)));
    }
    written.append(Files.readString(log));
    assertThat(written.toString().lines().toList())
        .isEqualTo(IntStream.range(0, 300000).mapToObj(Integer::toString).toList());
  }

  @Test
  @DisplayName("where the front cannot be cut off the file is emptied, and keeps being written to")
  void emptiesElsewhere() throws Exception {
    Path memory = Path.of("/dev/shm");
    assumeTrue(Files.isDirectory(memory), "there is no tmpfs");
    Path there = Files.createTempDirectory(memory, "probelet-test");
    try {
      Path log = there.resolve("web.log");
      append(log, "a".repeat(LIMIT) + "b");
      rotator.rotateIfFull(log);
      append(log, "c");
      assertThat(Files.readString(log)).isEqualTo("c");
      assertThat(Files.readString(there.resolve("web.log.1"))).isEqualTo("a".repeat(LIMIT) + "b");
      Files.delete(log);
      Files.delete(there.resolve("web.log.1"));
      Files.delete(there.resolve("web.log.start"));
    } finally {
      Files.delete(there);
    }
  }

  private static void append(Path file, String text) throws IOException {
    Files.writeString(file, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** The log and its rotated files. */
  private static List<String> files(Path dir) throws IOException {
    try (Stream<Path> all = Files.list(dir)) {
      return all.map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".start")) // see LogStart
          .sorted()
          .toList();
    }
  }
}
