package io.probelet.nodehealth.rehearsal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.probelet.nodehealth.rehearsal.TapeEvent.NodeHelped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How cues reach columns on their threads. */
@Timeout(60)
class ColumnsTest {
  private static final int MORE_THAN_WAIT = 20_000;

  @Test
  @DisplayName("every column takes every cue in its order")
  void order() throws Exception {
    List<Noting> noting = List.of(new Noting(), new Noting());
    List<TapeEvent> all = cues(MORE_THAN_WAIT + 1);
    try (Columns columns = new Columns(noting)) {
      for (TapeEvent cue : all) {
        columns.take(cue);
      }
      assertThat(columns.finish(Instant.EPOCH))
          .extracting(RehearsalTotals::remediations)
          .containsExactly((long) all.size(), (long) all.size());
    }
    assertThat(noting).allSatisfy(column -> assertThat(column.taken).isEqualTo(all));
  }

  @Test
  @DisplayName("a column that fails ends the reading, and whoever waits for it")
  void failure() {
    Column failing =
        new Noting() {
          @Override
          public void take(TapeEvent cue) {
            throw new UnsupportedOperationException("this one");
          }
        };
    assertThatIllegalStateException()
        .isThrownBy(() -> {
          try (Columns columns = new Columns(List.of(new Noting(), failing))) {
            for (TapeEvent cue : cues(MORE_THAN_WAIT)) {
              columns.take(cue);
            }
            columns.finish(Instant.EPOCH);
          }
        })
        .withRootCauseInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  @DisplayName("who reads waits for the slowest column, and closing ends a column that waits")
  void bounded() throws Exception {
    CountDownLatch taking = new CountDownLatch(1);
    CountDownLatch ended = new CountDownLatch(1);
    Column stuck =
        new Noting() {
          @Override
          public void take(TapeEvent cue) {
            taking.countDown();
            try {
              new CountDownLatch(1).await();
            } catch (InterruptedException closed) {
              ended.countDown();
              throw new IllegalStateException(closed);
            }
          }
        };
    List<TapeEvent> read = new ArrayList<>();
    try (Columns columns = new Columns(List.of(stuck))) {
      Thread reader = Thread.currentThread();
      Thread.ofVirtual()
          .start(() -> {
            // A column that is closed before its first cue ends without it.
            while (taking.getCount() > 0 || reader.getState() != Thread.State.TIMED_WAITING) {
              Thread.onSpinWait();
            }
            reader.interrupt();
          });
      for (TapeEvent cue : cues(MORE_THAN_WAIT)) {
        columns.take(cue);
        read.add(cue);
      }
    } catch (InterruptedException expected) {
      assertThat(read).hasSizeLessThan(MORE_THAN_WAIT);
    }
    ended.await();
    assertThat(read).hasSizeBetween(1, MORE_THAN_WAIT - 1);
  }

  private static List<TapeEvent> cues(int count) {
    return IntStream.range(0, count).<TapeEvent>mapToObj(i -> new NodeHelped("n" + i)).toList();
  }

  private static class Noting implements Column {
    final List<TapeEvent> taken = new ArrayList<>();

    @Override
    public void take(TapeEvent cue) {
      taken.add(cue);
    }

    @Override
    public RehearsalTotals finish(Instant end) {
      return new RehearsalTotals(
          "", taken.size(), 0, 0, Map.of(), 0, Duration.ZERO, Duration.ZERO, Map.of(), List.of());
    }
  }
}
