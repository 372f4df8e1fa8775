package io.probelet.monitor.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.probelet.health.SystemClock;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KmsgSourceTest {
  private static final Instant BOOT = Instant.parse("2026-11-21T12:00:00Z");
  private static final Path DEVICE = Path.of("/dev/kmsg");

  @TempDir Path dir;

  private Path fifo() throws Exception {
    Path fifo = dir.resolve("kmsg");
    assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor()).isZero();
    return fifo;
  }

  private static void write(Path file, String text) throws Exception {
    Files.writeString(file, text, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "6,339,5140900,-;NET: Registered | 339 | 5140900 | NET: Registered | true",
        "4,1,0,c;a;b,c | 1 | 0 | a;b,c | false",
        "4,1,0,+;a | 1 | 0 | a | false",
        "4,1,0;a,c;b | 1 | 0 | a,c;b | true",
        "7,7,8,-,caller=T1;x | 7 | 8 | x | true",
        "8,7,8,-,caller=T1;x | 7 | 8 | x | false",
        "30,7,8,-,caller=T1;x | 7 | 8 | x | false",
        "6,1,2,-;one\\x0a\\x09two \\x0a| 1 | 2 | one \ttwo | true",
        "6,1,2,-;Ger\\xc3\\xa4t \\xe2\\x82\\xac \\xff | 1 | 2 | Gerät € \ufffd | true",
        "6,1,2,-;tab\\x09and\\x5cbackslash \\xzz | 1 | 2 | tab\tand\\backslash \\xzz | true",
      })
  @DisplayName("B-7, A-11 records of the kernel: number, time, message, and whose record it is")
  void records(String line, long sequence, long micros, String message, boolean kernel) {
    KmsgRecord record = KmsgRecord.parse(line).orElseThrow();
    assertThat(record.sequence()).isEqualTo(sequence);
    assertThat(record.micros()).isEqualTo(micros);
    assertThat(record.message()).isEqualTo(message);
    assertThat(record.isWholeKernelRecord()).isEqualTo(kernel);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"Killed process 1", "a,b,c;d", "1,2;x", "1,2,;x", "99999999999999999999,1,1,-;x"})
  void whatIsNoRecord(String line) {
    assertThat(KmsgRecord.parse(line)).isEqualTo(Optional.empty());
  }

  @Test
  @DisplayName(
      "B-7 a FIFO stands in for the device: times since boot, details skipped, gaps counted")
  void fifoStandsIn() throws Exception {
    Path fifo = fifo();
    try (CollectedLines lines =
        new CollectedLines(new KmsgSource(fifo, BOOT, "", SystemClock.INSTANCE))) {
      await().until(() -> lines.upToDate);
      write(fifo, "6,10,1500000,-;first\n SUBSYSTEM=usb\n6,11,2000000,-;second\n");
      write(fifo, "6,15,3000000,-;third\nbare words\n");
      await().until(() -> lines.all.size() == 4);
      assertThat(lines.all).containsExactly("first", "second", "third", "bare words");
      assertThat(lines.times.getFirst()).isEqualTo(BOOT.plusMillis(1500));
      assertThat(lines.gaps).containsExactly("3 the kernel log overflowed before it was read");
    }
  }

  @Test
  @DisplayName("B-4 records read by an earlier process are not read again")
  void goesOn() throws Exception {
    Path fifo = fifo();
    KmsgSource source = new KmsgSource(fifo, BOOT, "11", SystemClock.INSTANCE);
    try (CollectedLines lines = new CollectedLines(source)) {
      await().until(() -> lines.upToDate);
      write(fifo, "6,10,1,-;first\n6,11,2,-;second\n6,12,3,-;third\n");
      await().until(() -> !lines.all.isEmpty());
      assertThat(lines.all).containsExactly("third");
      assertThat(lines.gaps).isEmpty();
      await().until(() -> source.position().equals("12@3"));
    }
  }

  @Test
  @DisplayName("B-7 records overwritten between two runs have their own cause")
  void lostWhileAway() throws Exception {
    Path fifo = fifo();
    KmsgSource source = new KmsgSource(fifo, BOOT, "11", SystemClock.INSTANCE);
    try (CollectedLines lines = new CollectedLines(source)) {
      await().until(() -> lines.upToDate);
      write(fifo, "6,20,1,-;first\n6,22,3,-;second\n");
      await().until(() -> lines.all.size() == 2);
      assertThat(lines.gaps)
          .containsExactly(
              "8 overwritten in the kernel log before the agent started",
              "1 the kernel log overflowed before it was read");
    }
  }

  @Test
  @DisplayName("B-4 without new records the position is kept for the next process")
  void nothingNew() throws Exception {
    Path fifo = fifo();
    KmsgSource source = new KmsgSource(fifo, BOOT, "11", SystemClock.INSTANCE);
    try (CollectedLines lines = new CollectedLines(source)) {
      await().until(() -> lines.upToDate);
      write(fifo, "6,10,1,-;first\n6,11,2,-;second\nbare words\n");
      await().until(() -> !lines.all.isEmpty());
      write(fifo, "6,11,2,-;second\nmore bare words\n");
      await().until(() -> lines.all.size() == 2);
      assertThat(lines.all).containsExactly("bare words", "more bare words");
      assertThat(source.position()).isEqualTo("11");
    }
  }

  @Test
  @DisplayName("A-3 a long backlog does not count as live lines")
  void slowBacklog() throws Exception {
    Path fifo = fifo();
    KmsgSource source = new KmsgSource(fifo, BOOT, "", SystemClock.INSTANCE);
    CountDownLatch upToDate = new CountDownLatch(1);
    CountDownLatch taken = new CountDownLatch(1);
    AtomicBoolean early = new AtomicBoolean();
    LineSource.Sink slow =
        new LineSource.Sink() {
          @Override
          public void line(String text, Instant at) {
            try {
              early.set(upToDate.await(1, TimeUnit.SECONDS));
            } catch (InterruptedException ended) {
              Thread.currentThread().interrupt();
            }
            taken.countDown();
          }

          @Override
          public void foreignLine(String text, Instant at) {
            line(text, at);
          }

          @Override
          public void upToDate() {
            upToDate.countDown();
          }

          @Override
          public void gap(long lines, String why) {}
        };
    try (FileChannel writer =
        FileChannel.open(fifo, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      writer.write(ByteBuffer.wrap("6,1,1,-;first\n".getBytes(StandardCharsets.UTF_8)));
      Thread reader =
          Thread.ofPlatform()
              .start(() -> {
                try {
                  source.run(slow);
                } catch (Exception failed) {
                  throw new AssertionError(failed);
                }
              });
      taken.await();
      assertThat(early).isFalse();
      upToDate.await();
      source.close();
      reader.join();
    }
  }

  @Test
  @DisplayName("B-4, B-7 a position without a number continues by timestamps")
  void placeOfTheBuffer() throws Exception {
    Path fifo = fifo();
    KmsgSource source = new KmsgSource(fifo, BOOT, "@2000000", SystemClock.INSTANCE);
    try (CollectedLines lines = new CollectedLines(source)) {
      await().until(() -> lines.upToDate);
      write(fifo, "6,10,1000000,-;first\n6,11,2000000,-;second\n6,12,2000001,-;third\n");
      await().until(() -> !lines.all.isEmpty());
      assertThat(lines.all).containsExactly("third");
      assertThat(lines.gaps).isEmpty();
      await().until(() -> source.position().equals("12@2000001"));
    }
    try (CollectedLines lines =
        new CollectedLines(new KmsgSource(fifo, BOOT, "@2000000", SystemClock.INSTANCE))) {
      await().until(() -> lines.upToDate);
      write(fifo, "6,12,3000000,-;fourth\n");
      await().until(() -> !lines.all.isEmpty());
      assertThat(lines.gaps)
          .containsExactly("1 overwritten in the kernel log before the agent started");
    }
  }

  @Test
  @DisplayName("B-7 a message written to the real device arrives; closing ends a read that waits")
  void realDevice() throws Exception {
    assumeTrue(Files.isWritable(DEVICE) && Files.isReadable(DEVICE), "needs root");
    String mark = "probelet-test " + ProcessHandle.current().pid();
    try (CollectedLines lines =
        new CollectedLines(new KmsgSource(DEVICE, BOOT, "", SystemClock.INSTANCE))) {
      await().until(() -> lines.upToDate);
      Files.writeString(DEVICE, mark + "\n"); // without its end the kernel waits for more
      await().until(() -> lines.all.contains(mark));
    }
  }

  @Test
  @DisplayName("B-5 a missing log is reported")
  void missing() {
    Path nowhere = dir.resolve("nowhere");
    try (CollectedLines lines =
        new CollectedLines(new KmsgSource(nowhere, BOOT, "", SystemClock.INSTANCE))) {
      await().until(() -> !lines.failure.isEmpty());
      assertThat(lines.failure).isEqualTo("cannot read " + nowhere + ": no such file");
    }
  }
}
