package io.probelet.monitor.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.probelet.health.SystemClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Issue 14, B5: the kernel's messages without access to /dev/kmsg. */
class KernelBufferSourceTest {
  private static final Instant BOOT = Instant.parse("2026-11-21T12:00:00Z");
  private static final Duration SHORT = Duration.ofMillis(5);
  private static final Path NO_DEVICE = Path.of("/dev/no-such-kmsg");

  /** Like the kernel's buffer: the oldest content is dropped when it is full. */
  private static final class Buffer implements KernelBuffer {
    private final List<String> lines = new ArrayList<>();
    private volatile String refusal = "";
    private volatile int reads;

    synchronized void log(String... more) {
      lines.addAll(List.of(more));
    }

    synchronized void overwrite(String... all) {
      lines.clear();
      log(all);
    }

    @Override
    public int size() throws IOException {
      if (!refusal.isEmpty()) {
        throw new IOException(refusal);
      }
      return 1 << 20;
    }

    @Override
    public synchronized byte[] end(int atMost) {
      reads++;
      StringBuilder end = new StringBuilder();
      for (String line : lines.reversed()) {
        if (end.length() + line.length() + 1 > atMost) {
          break;
        }
        end.insert(0, line + "\n");
      }
      return end.toString().getBytes(StandardCharsets.UTF_8);
    }
  }

  private final Buffer buffer = new Buffer();

  private KernelBufferSource source(String position) {
    return new KernelBufferSource(buffer, BOOT, position, SystemClock.INSTANCE, SHORT);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<6>[    5.140900] NET: Registered | 5140900 | NET: Registered",
        "<4>[12345.000001][  T123] a b | 12345000001 | a b",
        "<4>[    0.000000][    C0] x | 0 | x",
        "<30>no time | -1 | no time",
        "bare words | -1 | bare words",
        "<6>[    1.5] odd | -1 | [    1.5] odd",
      })
  @DisplayName("B-7 lines of the buffer: time and message")
  void records(String line, long micros, String message) {
    BufferedRecord record = BufferedRecord.of(line);
    assertThat(record.line()).isEqualTo(line);
    assertThat(record.micros()).isEqualTo(micros);
    assertThat(record.message()).isEqualTo(message);
  }

  @Test
  @DisplayName(
      "B-7 existing lines are reported with their times since boot, then new ones, each " + "once")
  void follows() {
    buffer.log("<6>[    1.500000] first", "<6>[    2.000000] second");
    KernelBufferSource source = source("");
    try (CollectedLines lines = new CollectedLines(source)) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("first", "second");
      assertThat(lines.times.getFirst()).isEqualTo(BOOT.plusMillis(1500));
      buffer.log("<6>[    3.000000] third", "<4>[    3.000000] third", "<6>[    2.999999] late");
      await().until(() -> lines.all.size() == 5);
      assertThat(lines.all).endsWith("third", "third", "late");
      assertThat(lines.gaps).isEmpty();
      await().until(() -> source.position().equals("@3000000"));
    }
  }

  @Test
  @DisplayName("B-4 lines read by an earlier process are not read again")
  void goesOn() {
    buffer.log("<6>[    1.000000] first", "<6>[    2.000000] second", "<6>[    3.000000] third");
    try (CollectedLines lines = new CollectedLines(source("@2000000"))) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("third");
    }
  }

  @Test
  @DisplayName("B-4 if the newest known line is gone, later ones are reported")
  void goneMeanwhile() {
    buffer.log("<6>[    1.000000] first", "<6>[    3.000000] third");
    try (CollectedLines lines = new CollectedLines(source("@2000000"))) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("third");
    }
  }

  @Test
  @DisplayName("B-7 a burst is read completely; overwritten lines are a gap")
  void floods() {
    buffer.log("<6>[    1.000000] first");
    try (CollectedLines lines = new CollectedLines(source(""))) {
      await().until(() -> lines.upToDate);
      String[] many = new String[1000];
      for (int i = 0; i < many.length; i++) {
        many[i] = "<6>[    2.%06d] %s".formatted(i, "x".repeat(40));
      }
      buffer.log(many);
      await().until(() -> lines.all.size() == 1 + many.length);
      assertThat(lines.gaps).isEmpty();

      buffer.overwrite("<6>[    1.000000] first", "<6>[    9.000000] after");
      await().until(() -> lines.all.contains("after"));
      assertThat(lines.all).hasSize(2 + many.length);
      assertThat(lines.gaps)
          .containsExactly("1 the kernel log overflowed or was cleared before it was read");
    }
  }

  @Test
  @DisplayName("B-7 lines overwritten between two runs are a gap, with their own cause")
  void lostWhileAway() {
    buffer.log("<6>[    3.000000] third", "<6>[    4.000000] fourth");
    try (CollectedLines lines = new CollectedLines(source("@2000000"))) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("third", "fourth");
      assertThat(lines.gaps)
          .containsExactly("1 overwritten in the kernel log before the agent started");
    }
  }

  @Test
  @DisplayName("B-7 a cleared buffer is one gap, not one per second")
  void cleared() {
    buffer.log("<6>[    1.000000] first");
    try (CollectedLines lines = new CollectedLines(source(""))) {
      await().until(() -> lines.upToDate);
      buffer.overwrite();
      await().until(() -> !lines.gaps.isEmpty());
      int polls = buffer.reads;
      await().until(() -> buffer.reads > polls + 10);
      buffer.log("<6>[    2.000000] second");
      await().until(() -> lines.all.contains("second"));
      assertThat(lines.all).containsExactly("first", "second");
      assertThat(lines.gaps)
          .containsExactly("1 the kernel log overflowed or was cleared before it was read");
    }
  }

  @Test
  @DisplayName("B-4 a position of the device's reader is valid in the buffer")
  void placeOfTheDevice() {
    buffer.log("<6>[    1.000000] first", "<6>[    2.000000] second", "<6>[    3.000000] third");
    try (CollectedLines lines = new CollectedLines(source("17@2000000"))) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).containsExactly("third");
      assertThat(lines.gaps).isEmpty();
    }
  }

  @Test
  @DisplayName(
      "B-5 without a device and CAP_SYSLOG the source is unavailable, and names what is "
          + "required")
  void notPermitted() {
    buffer.refusal = "syslog(2) is not permitted; requires CAP_SYSLOG";
    KernelLog log = new KernelLog(NO_DEVICE, false, buffer, BOOT, "", SystemClock.INSTANCE);
    try (CollectedLines lines = new CollectedLines(log)) {
      await().until(() -> !lines.failure.isEmpty());
      assertThat(lines.failure)
          .isEqualTo(
              NO_DEVICE
                  + " cannot be opened (requires a privileged container), and syslog(2) is not"
                  + " permitted; requires CAP_SYSLOG");
    }
  }

  @Test
  @DisplayName("B5 a message of the real kernel arrives without the device")
  void realBuffer() throws Exception {
    Path device = Path.of("/dev/kmsg");
    assumeTrue(Files.isWritable(device), "needs root");
    String mark = "probelet-test-buffer " + ProcessHandle.current().pid();
    KernelLog log = new KernelLog(NO_DEVICE, BOOT, "", SystemClock.INSTANCE);
    try (CollectedLines lines = new CollectedLines(log)) {
      await().until(() -> lines.upToDate);
      Files.writeString(device, mark + "\n");
      await().until(() -> lines.all.contains(mark));
      assertThat(log.position()).startsWith("@");
    }
    try (CollectedLines lines =
        new CollectedLines(new KernelLog(NO_DEVICE, BOOT, log.position(), SystemClock.INSTANCE))) {
      await().until(() -> lines.upToDate);
      assertThat(lines.all).doesNotContain(mark);
    }
  }
}
