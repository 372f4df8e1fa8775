package io.probelet.probe.file;

import static io.probelet.probe.TestTimeout.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.SystemClock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FileThreadsTest {
  /** Gives work up soon; others give it the time that a busy machine needs. */
  private final FileThreads impatient = new FileThreads(Duration.ofMillis(100));

  private final FileThreads threads = new FileThreads(Duration.ofMinutes(1));
  private final CountDownLatch hanging = new CountDownLatch(1);

  @Test
  @DisplayName("hanging work is interrupted, and its thread continues with other work")
  void interrupted() throws Exception {
    List<CompletableFuture<String>> hung = new ArrayList<>();
    CountDownLatch freed = new CountDownLatch(8);
    for (int i = 0; i < 8; i++) {
      hung.add(
          impatient.call(
              () -> {
                hanging.await();
                return "";
              },
              freed::countDown));
    }
    for (CompletableFuture<String> each : hung) {
      assertThatThrownBy(each::get)
          .isInstanceOf(ExecutionException.class)
          .hasCauseInstanceOf(BadFileException.class)
          .hasMessageContaining("files were not read within 100 ms");
    }
    freed.await();
    assertThat(new FileThreads().call(() -> "other", () -> {}).get()).isEqualTo("other");
    await()
        .untilAsserted(
            () -> assertThat(impatient.call(() -> "next", () -> {}).get()).isEqualTo("next"));
  }

  @Test
  @DisplayName("an error in the work reaches who waits for it")
  void error() {
    assertThatThrownBy(() ->
            threads
                .call(
                    () -> {
                      throw new StackOverflowError();
                    },
                    () -> {})
                .get())
        .hasCauseInstanceOf(StackOverflowError.class);
  }

  @Test
  @DisplayName("the number of waiting files is limited")
  void full() {
    List<CompletableFuture<String>> waiting = new ArrayList<>();
    for (int i = 0; i < 261; i++) {
      waiting.add(hang());
    }
    assertThatThrownBy(waiting.getLast()::get)
        .hasRootCauseInstanceOf(java.util.concurrent.RejectedExecutionException.class)
        .hasMessageContaining("more than 256 files are waiting to be read");
    hanging.countDown();
  }

  private CompletableFuture<String> hang() {
    return threads.call(this::hangDeaf, () -> {});
  }

  /** Takes no notice of an interrupt, as a thread does that hangs in the kernel. */
  private String hangDeaf() {
    boolean over = false;
    while (!over) {
      try {
        hanging.await();
        over = true;
      } catch (InterruptedException deaf) {
        over = false;
      }
    }
    return "";
  }

  @Test
  @DisplayName("files that hang in the kernel hold one thread and not one more at each look")
  void oneThread() {
    AtomicInteger begun = new AtomicInteger();
    FileCache<String, String> cache =
        new FileCache<>(
            10,
            impatient,
            SystemClock.INSTANCE,
            _ -> List.of(Path.of("/")),
            _ -> {
              begun.incrementAndGet();
              return hangDeaf();
            });
    assertThatThrownBy(() -> cache.get("x").get()).hasMessageContaining("not read within");
    await()
        .untilAsserted(() ->
            assertThatThrownBy(() -> cache.get("x").get())
                .hasMessageContaining("are still being read"));
    assertThat(begun).hasValue(1);
    hanging.countDown();
  }

  @Test
  @DisplayName("what was made too late is kept")
  void late() {
    FileCache<String, String> cache =
        new FileCache<>(10, impatient, SystemClock.INSTANCE, _ -> List.of(), _ -> hangDeaf());
    assertThatThrownBy(() -> cache.get("slow").get()).hasMessageContaining("not read within");
    hanging.countDown();
    await().ignoreExceptions().untilAsserted(() -> assertThat(cache.get("slow").get()).isEmpty());
  }

  @Test
  @DisplayName("one failure is not for ever, files or none")
  void failsOnce() {
    AtomicInteger begun = new AtomicInteger();
    FileCache<String, String> cache =
        new FileCache<>(
            10,
            threads,
            SystemClock.INSTANCE,
            _ -> List.of(),
            _ -> {
              if (begun.incrementAndGet() == 1) {
                throw new BadFileException("at first", null);
              }
              return "then";
            });
    assertThatThrownBy(() -> cache.get("once").get()).hasMessageContaining("at first");
    await()
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(cache.get("once").get()).isEqualTo("then"));
    assertThat(begun).hasValue(2);
  }
}
