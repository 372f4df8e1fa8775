package io.probelet.monitor.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.probelet.health.ManualClock;
import io.probelet.health.SystemClock;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FileSourceTest {
  private static final int LINES = 20_000;
  private static final int PER_ROTATION = 2_000;

  @TempDir Path dir;
  private Path log;

  @BeforeEach
  void name() {
    log = dir.resolve("app.log");
  }

  private FileSource source(boolean lookBack, String position) {
    return new FileSource(
        log,
        lookBack ? Lookback.all() : Lookback.NONE,
        position,
        line -> !line.contains("skipped"),
        SystemClock.INSTANCE);
  }

  private void append(String text) throws Exception {
    Files.writeString(log, text, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  private static List<String> numbered(int from, int to) {
    return IntStream.range(from, to).mapToObj(n -> "line " + n).toList();
  }

  @Test
  @DisplayName("A-3 without lookback only new lines are read, with lookback existing ones too")
  void lookback() throws Exception {
    append("old\n");
    try (CollectedLines fresh = new CollectedLines(source(false, ""));
        CollectedLines all = new CollectedLines(source(true, ""))) {
      await().until(() -> fresh.upToDate && all.upToDate);
      append("new\r\nskipped\n");
      append("half");
      append(" a line\n");
      await().until(() -> all.all.size() == 3 && fresh.all.size() == 2);
      assertThat(fresh.all).containsExactly("new", "half a line");
      assertThat(all.all).containsExactly("old", "new", "half a line");
    }
  }

  @Test
  @DisplayName("NM-7 renamed while 10,000 lines/s are written: every line once")
  void renamed() throws Exception {
    append("");
    try (CollectedLines lines = new CollectedLines(source(false, ""))) {
      await().until(() -> lines.upToDate);
      OutputStream out = Files.newOutputStream(log, StandardOpenOption.APPEND);
      for (int n = 0; n < LINES; n++) {
        if (n % PER_ROTATION == PER_ROTATION / 2) {
          awaitLastRotation(lines, n);
          Files.move(log, dir.resolve("app.log." + n / PER_ROTATION));
          Files.createFile(log);
        } else if (n % PER_ROTATION == 0 && n > 0) {
          out.close(); // a writer goes on with the renamed file until it is told
          out = Files.newOutputStream(log, StandardOpenOption.APPEND);
        }
        out.write(("line " + n + "\n").getBytes(StandardCharsets.UTF_8));
        pace(n);
      }
      out.close();
      await().until(() -> lines.all.size() >= LINES);
      assertThat(lines.all).containsExactlyInAnyOrderElementsOf(numbered(0, LINES));
    }
  }

  @Test
  @DisplayName(
      "NM-7 copied and emptied while 10,000 lines/s are written: every line once, in order")
  void copiedAndEmptied() throws Exception {
    append("");
    try (CollectedLines lines = new CollectedLines(source(false, ""));
        OutputStream out = Files.newOutputStream(log, StandardOpenOption.APPEND)) {
      await().until(() -> lines.upToDate);
      for (int n = 0; n < LINES; n++) {
        if (n % PER_ROTATION == PER_ROTATION / 2) {
          awaitLastRotation(lines, n);
          // What is written between copying and emptying is lost to everybody, so nothing is.
          Files.copy(log, dir.resolve("app.log.1"), StandardCopyOption.REPLACE_EXISTING);
          try (FileChannel emptied = FileChannel.open(log, StandardOpenOption.WRITE)) {
            emptied.truncate(0);
          }
        }
        out.write(("line " + n + "\n").getBytes(StandardCharsets.UTF_8));
        pace(n);
      }
      await().until(() -> lines.all.size() >= LINES);
      assertThat(lines.all).containsExactlyElementsOf(numbered(0, LINES));
      assertThat(lines.gaps).isEmpty();
    }
  }

  /** On a machine that is busy otherwise, two rotations could fall between two looks. */
  private static void awaitLastRotation(CollectedLines lines, int written) {
    await()
        .pollInterval(Duration.ofMillis(1))
        .until(() -> lines.all.size() > Math.max(0, written - PER_ROTATION));
  }

  /** About 10,000 a second. */
  private static void pace(int n) {
    if (n % 50 == 0) {
      LockSupport.parkNanos(Duration.ofMillis(4).toNanos());
    }
  }

  @Test
  @DisplayName("B-7 truncated without a copy: the loss is reported, reading continues")
  void emptied() throws Exception {
    append("some line that was read\n");
    try (CollectedLines lines = new CollectedLines(source(true, ""))) {
      await().until(() -> lines.all.size() == 1);
      Files.writeString(log, "a line that is longer than all there was before\n");
      await().until(() -> lines.all.size() == 2);
      assertThat(lines.gaps).singleElement().asString().contains("was truncated before");
    }
  }

  @Test
  @DisplayName("B-4 a restart continues at its position, also if the file was renamed")
  void goesOn() throws Exception {
    append("one\ntwo\nhal");
    FileSource first = source(true, "");
    try (CollectedLines lines = new CollectedLines(first)) {
      await().until(() -> lines.all.size() == 2 && !first.position().isEmpty());
    }
    append("f\nfour\n");
    Files.move(log, dir.resolve("app.log.1"));
    append("five\n");
    try (CollectedLines lines = new CollectedLines(source(false, first.position()))) {
      await().until(() -> lines.all.size() == 3);
      assertThat(lines.all).containsExactly("half", "four", "five");
    }
  }

  /** Reads the existing lines, and ends. */
  private String readOnce(int lines) throws Exception {
    FileSource first = source(true, "");
    try (CollectedLines read = new CollectedLines(first)) {
      await().until(() -> read.all.size() == lines && !first.position().isEmpty());
    }
    return first.position();
  }

  private void assertReadOn(String position, List<String> expected, String... gaps)
      throws Exception {
    try (CollectedLines lines = new CollectedLines(source(false, position))) {
      await().until(() -> lines.upToDate);
      await().until(() -> lines.all.size() >= expected.size());
      assertThat(lines.all).containsExactlyElementsOf(expected);
      assertThat(lines.gaps).containsExactly(gaps);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"5\n", "a line that is longer than all that was there before it\n5\n"})
  @DisplayName(
      "B-4, B-7 a file rotated by copytruncate between two runs is continued from its copy")
  void emptiedWhileAway(String later) throws Exception {
    append("one\ntwo\n");
    String position = readOnce(2);
    append("3\n4\n");
    Files.copy(log, dir.resolve("app.log.1"));
    Files.writeString(log, later);
    List<String> expected = new ArrayList<>(List.of("3", "4"));
    expected.addAll(later.lines().toList());
    assertReadOn(position, expected);
  }

  @Test
  @DisplayName("B-4, B-7 truncation or replacement between two runs is reported as loss")
  void lostWhileAway() throws Exception {
    append("one\ntwo\n");
    String position = readOnce(2);
    Files.writeString(log, "a line that is longer than all that was there before it\n");
    assertReadOn(
        position,
        List.of("a line that is longer than all that was there before it"),
        "1 " + log + " was truncated before its end was read");
    Files.move(log, dir.resolve("elsewhere"));
    append("three\n");
    assertReadOn(
        position,
        List.of("three"),
        "1 " + log + " was replaced before the agent started, and the previous file is gone");
  }

  @Test
  @DisplayName("B-7 files that came and went between two runs are reported as loss")
  void rotatedTwiceWhileAway() throws Exception {
    append("one\n");
    String position = readOnce(1);
    append("two\n");
    Files.setLastModifiedTime(log, FileTime.from(Instant.parse("2026-11-21T12:00:00Z")));
    Files.move(log, dir.resolve("app.log.2"));
    Files.writeString(dir.resolve("app.log.1.gz"), "three");
    Files.writeString(dir.resolve("app.log.audit"), "of another log");
    append("four\n");
    assertReadOn(
        position,
        List.of("two", "four"),
        "1 " + dir.resolve("app.log.1.gz") + " was rotated before it was read");
  }

  @Test
  @DisplayName("B-14 an overlong line is truncated, and the next one is whole")
  void endless() throws Exception {
    append("");
    try (CollectedLines lines = new CollectedLines(source(false, ""))) {
      await().until(() -> lines.upToDate);
      append("x".repeat(1 << 20) + "\nnext\n");
      await().until(() -> lines.all.size() == 2);
      assertThat(lines.all.getFirst()).hasSize(16 * 1024);
      assertThat(lines.all.getLast()).isEqualTo("next");
    }
  }

  @Test
  @DisplayName("B-5 a missing file is reported")
  void missing() {
    try (CollectedLines lines = new CollectedLines(source(false, ""))) {
      await().until(() -> !lines.failure.isEmpty());
      assertThat(lines.failure).isEqualTo("cannot read " + log + ": no such file");
    }
  }

  @Test
  @DisplayName("B-7 a new file that cannot be opened is read once it can")
  void successorUnreadable() throws Exception {
    ManualClock clock = new ManualClock(Instant.EPOCH);
    append("one\n");
    FileSource source = new FileSource(log, Lookback.all(), "", _ -> true, clock);
    try (CollectedLines lines = new CollectedLines(source)) {
      await().until(() -> lines.all.size() == 1);
      Files.move(log, dir.resolve("app.log.1"));
      try (ServerSocketChannel unreadable = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        unreadable.bind(UnixDomainSocketAddress.of(log)); // what is no file cannot be opened
        await().until(() -> !lines.failure.isEmpty());
        clock.advance(Duration.ofSeconds(11));
        lines.runAgain();
        await().until(() -> !lines.failure.isEmpty());
      }
      Files.delete(log);
      Files.writeString(dir.resolve("app.log.1"), "two\n", StandardOpenOption.APPEND);
      append("three\n");
      lines.runAgain();
      await().until(() -> lines.all.size() == 3 || !lines.failure.isEmpty());
      assertThat(lines.failure).isEmpty();
      assertThat(lines.all).containsExactly("one", "two", "three");
    }
  }

  @Test
  @DisplayName("B-4 a restart that cannot open the file at first continues at its position")
  void goesOnLater() throws Exception {
    append("one\n");
    FileSource first = source(true, "");
    try (CollectedLines lines = new CollectedLines(first)) {
      await().until(() -> lines.all.size() == 1 && !first.position().isEmpty());
    }
    append("two\n");
    Path kept = Files.move(log, dir.resolve("kept"));
    Files.createSymbolicLink(log, log.getFileName()); // to itself: nobody can open it
    FileSource second = source(false, first.position());
    try (CollectedLines lines = new CollectedLines(second)) {
      await().until(() -> !lines.failure.isEmpty());
      assertThat(second.position()).isEqualTo(first.position());
      Files.delete(log);
      Files.move(kept, log);
      lines.runAgain();
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("two");
    }
  }

  @Test
  @DisplayName("B-4 a file that vanishes beside the log does no harm")
  void vanishedBeside() throws Exception {
    append("one\n");
    FileSource first = source(true, "");
    try (CollectedLines lines = new CollectedLines(first)) {
      await().until(() -> lines.all.size() == 1 && !first.position().isEmpty());
    }
    Files.move(log, dir.resolve("elsewhere"));
    Files.createSymbolicLink(dir.resolve("app.log.1"), dir.resolve("gone"));
    append("two\n");
    try (CollectedLines lines = new CollectedLines(source(false, first.position()))) {
      await().until(() -> lines.upToDate || !lines.failure.isEmpty());
      assertThat(lines.failure).isEmpty();
      assertThat(lines.all).containsExactly("two");
    }
  }
}
