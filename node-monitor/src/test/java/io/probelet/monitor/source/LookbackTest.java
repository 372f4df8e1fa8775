package io.probelet.monitor.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.RandomCase;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LookbackTest {
  private static final Instant START = Instant.parse("2026-11-21T12:00:00Z");

  @TempDir Path dir;
  private final List<String> gaps = new ArrayList<>();
  private final LineSource.Sink sink =
      new LineSource.Sink() {
        @Override
        public void line(String text, Instant at) {}

        @Override
        public void foreignLine(String text, Instant at) {}

        @Override
        public void upToDate() {}

        @Override
        public void gap(long lines, String why) {
          gaps.add(why);
        }
      };

  /** A line's time is how many seconds after the start it was logged. */
  private static Optional<Instant> time(String line) {
    return line.matches("\\d+ .*")
        ? Optional.of(START.plusSeconds(Long.parseLong(line.substring(0, line.indexOf(' ')))))
        : Optional.empty();
  }

  private String readFrom(Lookback lookback, String content) throws IOException {
    Path file = dir.resolve("log");
    Files.writeString(file, content);
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
      return content.substring((int) lookback.start(channel, sink));
    }
  }

  private static String lines(int count, int length) {
    StringBuilder all = new StringBuilder();
    for (int second = 0; second < count; second++) {
      all.append(second).append(' ').append("x".repeat(length)).append('\n');
    }
    return all.toString();
  }

  @Test
  @DisplayName("A-3 lookback reaches back as far as required, with a few reads of a large file")
  void asFarAsTimeAsks() throws Exception {
    AtomicInteger looks = new AtomicInteger();
    String content = lines(300_000, 90); // 28 MiB
    Lookback lookback =
        Lookback.since(
            START.plusSeconds(1000),
            line -> {
              looks.incrementAndGet();
              return time(line);
            });
    String read = readFrom(lookback, content);
    assertThat(read.indexOf("\n1000 x")).isPositive();
    assertThat(time(read.substring(0, read.indexOf('\n')))).as("a whole line").isPresent();
    assertThat(content.indexOf("\n1000 x") - (content.length() - read.length()))
        .as("no more than a little before")
        .isLessThan(200_000);
    assertThat(looks).hasValueLessThan(40);
    assertThat(gaps).isEmpty();
  }

  @Test
  @DisplayName("A-3 a truncated lookback is reported, and reading begins with a whole line")
  void bound() throws Exception {
    String content = lines(10_000, 90);
    Lookback lookback = Lookback.since(START.plusSeconds(10), LookbackTest::time).atMost(200_000);
    String read = readFrom(lookback, content);
    assertThat(read.length()).isBetween(199_800, 200_000);
    assertThat(time(read.lines().findFirst().orElseThrow())).isPresent();
    assertThat(gaps).hasSize(1);
    assertThat(gaps.getFirst())
        .isEqualTo(
            "lookback covers the last %d bytes of the file, only the last %d are read"
                .formatted(content.length(), read.length()));
    assertThat(readFrom(Lookback.all().atMost(200_000), content)).isEqualTo(read);
    assertThat(gaps).hasSize(2);
  }

  @Test
  @DisplayName("A-3 without lookback nothing is read; without times everything up to the limit")
  void ends() throws Exception {
    String content = lines(5000, 90);
    assertThat(readFrom(Lookback.NONE, content)).isEmpty();
    assertThat(readFrom(Lookback.all(), content)).isEqualTo(content);
    assertThat(readFrom(Lookback.since(START, _ -> Optional.empty()), content)).isEqualTo(content);
    assertThat(readFrom(Lookback.since(START, LookbackTest::time), "")).isEmpty();
  }

  @Test
  @DisplayName("A-3 no recent line is missed, whatever the lines look like")
  void noneIsLeftOut() {
    RandomCase.tries(
        100,
        random -> {
          StringBuilder content = new StringBuilder();
          int second = 0;
          boolean ordered = random.of(true, false);
          for (int line = random.between(0, 3000); line > 0; line--) {
            second += random.between(0, 3);
            boolean timed = random.between(0, 9) > 0;
            int disorder =
                !ordered && random.between(0, 20) == 0 ? Math.max(0, second - 5) : second;
            content
                .append(timed ? disorder + " " : "\tat ")
                .append("x".repeat(random.of(1, 10, 200)))
                .append(ordered && random.between(0, 500) == 0 ? "z".repeat(100_000) : "")
                .append('\n');
          }
          Instant notBefore = START.plusSeconds(random.between(0, second + 2));
          String all = content.toString();
          String read;
          try {
            read = readFrom(Lookback.since(notBefore, LookbackTest::time), all);
          } catch (IOException impossible) {
            throw new AssertionError(impossible);
          }
          assertThat(all).endsWith(read);
          long before = all.lines().filter(line -> isYoung(line, notBefore)).count();
          assertThat(read.lines().filter(line -> isYoung(line, notBefore)).count())
              .isEqualTo(before);
          assertThat(
                  read.length() == all.length()
                      || all.charAt(all.length() - read.length() - 1) == '\n')
              .isTrue();
        });
  }

  private static boolean isYoung(String line, Instant notBefore) {
    return time(line).filter(at -> !at.isBefore(notBefore)).isPresent();
  }
}
