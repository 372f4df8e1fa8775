package io.probelet.agent.cluster.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.cluster.publish.EventBook.Writing;
import io.probelet.health.ManualClock;
import io.probelet.probe.PodRef;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How events are aggregated and limited, in virtual time. */
class EventBookTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final EventBook book = new EventBook(clock.nanoTime());

  private void add(int pod, String message) {
    PodRef ref = new PodRef("shop", "p" + pod, "u" + pod);
    book.add(
        new ApiEvent(
            EventSubject.pod(ref, "web"), "probelet", "Warning", "Unhealthy", "Liveness", message),
        clock.wallTime(),
        clock.nanoTime());
  }

  private List<Writing> written() {
    List<Writing> all = new ArrayList<>();
    for (Optional<Writing> next = book.next(clock.nanoTime());
        next.isPresent();
        next = book.next(clock.nanoTime())) {
      book.written(next.get(), clock.nanoTime());
      all.add(next.get());
    }
    return all;
  }

  @Test
  @DisplayName("the first is written at once, the same cause again is counted, whatever its words")
  void aggregates() {
    add(1, "refused");
    assertThat(written()).singleElement().matches(Writing::create);
    for (int i = 0; i < 100; i++) {
      add(1, "timeout " + i);
    }
    assertThat(written()).isEmpty();
    clock.advance(Duration.ofMinutes(1));
    assertThat(written())
        .singleElement()
        .satisfies(update -> {
          assertThat(update.create()).isFalse();
          assertThat(update.count()).isEqualTo(101);
          assertThat(update.event().message()).isEqualTo("timeout 99");
        });
  }

  @Test
  @DisplayName("a pod that flaps for a day writes less than a hundred times")
  void flapping() {
    int writes = 0;
    for (int second = 0; second < 86_400; second++) {
      add(1, "refused");
      writes += written().size();
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(writes).isBetween(80, 99);
  }

  @Test
  @DisplayName("many causes at once have 50 writes, then one every 10 s")
  void limited() {
    for (int pod = 0; pod < 200; pod++) {
      add(pod, "refused");
    }
    assertThat(written()).hasSize(50);
    clock.advance(Duration.ofSeconds(100));
    assertThat(written()).hasSize(10);
  }

  @Test
  @DisplayName("what is not written is kept with the same name, so that writing again is harmless")
  void sameName() {
    add(1, "refused");
    Writing first = book.next(clock.nanoTime()).orElseThrow();
    clock.advance(Duration.ofMinutes(5));
    add(1, "refused");
    Writing again = book.next(clock.nanoTime()).orElseThrow();
    assertThat(again.name()).isEqualTo(first.name());
    assertThat(again.create()).isTrue();
    assertThat(again.count()).isEqualTo(2);
  }

  @Test
  @DisplayName("an event that the server has forgotten is created anew")
  void lost() {
    add(1, "refused");
    Writing first = written().getFirst();
    clock.advance(Duration.ofHours(2));
    add(1, "refused");
    book.lost(first);
    assertThat(written()).singleElement().matches(Writing::create);
  }

  @Test
  @DisplayName("no more than a thousand causes are remembered")
  void bounded() {
    for (int pod = 0; pod <= EventBook.MOST_CAUSES; pod++) {
      add(pod, "refused");
    }
    assertThat(book.forgotten()).isEqualTo(1);
    assertThat(book.next(clock.nanoTime()).orElseThrow().event().subject().name()).isEqualTo("p1");
  }

  @Test
  @DisplayName("a cause that is forgotten and comes again while it is written is written anew")
  void forgottenWhileWritten() {
    add(0, "refused");
    Writing underWay = book.next(clock.nanoTime()).orElseThrow();
    clock.advance(Duration.ofSeconds(1));
    for (int pod = 1; pod <= EventBook.MOST_CAUSES; pod++) {
      add(pod, "refused");
    }
    add(0, "refused");
    book.written(underWay, clock.nanoTime());

    List<Writing> all = new ArrayList<>();
    for (int pod = 0; pod < EventBook.MOST_CAUSES; pod++) {
      all.addAll(written());
      clock.advance(Duration.ofSeconds(10));
    }
    assertThat(all)
        .filteredOn(writing -> writing.event().subject().name().equals("p0"))
        .singleElement()
        .matches(Writing::create);
  }
}
