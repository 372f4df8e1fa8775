package io.probelet.agent.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.SystemClock;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeResult;
import io.probelet.probe.ProbeSubject;
import io.probelet.probe.engine.ProbeListener.Published;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EventBufferTest {
  private static final Duration NOW = Duration.ZERO;
  private final EventBuffer events = new EventBuffer(SystemClock.INSTANCE);

  private void add(String message) {
    events.add(
        ServedEvent.of(
            new Published(
                new ProbeSubject(new PodRef("shop", "web", "u"), "app", ProbeKind.LIVENESS),
                "id",
                ProbeResult.FAILURE,
                message,
                false)));
  }

  @Test
  void eventsAfterANumberComeInOrder() throws Exception {
    add("one");
    add("two");
    EventBuffer.Batch batch = events.after(0, true, NOW);
    assertThat(batch.gap()).isFalse();
    assertThat(batch.last()).isEqualTo(2);
    assertThat(batch.events())
        .satisfiesExactly(
            first ->
                assertThat(first)
                    .startsWith("{\"sequence\":1,\"time\":\"2")
                    .endsWith(
                        "\"type\":\"Result\",\"namespace\":\"shop\",\"pod\":\"web\",\"uid\":\"u\","
                            + "\"container\":\"app\",\"containerID\":\"id\",\"probe\":\"liveness\","
                            + "\"result\":\"Failure\",\"message\":\"one\"}"),
            second -> assertThat(second).contains("\"sequence\":2,", "\"message\":\"two\""));
    assertThat(events.after(1, true, NOW).events()).hasSize(1);
    assertThat(events.after(2, true, NOW)).isEqualTo(new EventBuffer.Batch(false, 2, List.of()));
    assertThat(events.gaps()).isZero();
  }

  @Test
  @DisplayName("PS-6 a client that missed events is told, and can go on from the newest")
  void overflow() throws Exception {
    for (int i = 0; i <= EventBuffer.MAX_EVENTS; i++) {
      add("");
    }
    assertThat(events.size()).isEqualTo(EventBuffer.MAX_EVENTS);
    EventBuffer.Batch missed = events.after(0, true, NOW);
    assertThat(missed.gap()).isTrue();
    assertThat(missed.events()).isEmpty();
    assertThat(missed.last()).isEqualTo(EventBuffer.MAX_EVENTS + 1L);
    assertThat(events.gaps()).isEqualTo(1);
    assertThat(events.after(1, true, NOW).gap()).as("event 2 is the oldest").isFalse();
    assertThat(events.after(missed.last(), true, NOW).gap()).isFalse();
  }

  @Test
  @DisplayName("PS-6 the size of all events is bounded, too")
  void bytes() throws Exception {
    String long1 = "x".repeat(2000);
    for (int i = 0; i < 3_000; i++) {
      add(long1);
    }
    assertThat(events.size()).isLessThan(EventBuffer.MAX_EVENTS);
    assertThat(events.size() * 1024L).isLessThanOrEqualTo(EventBuffer.MAX_CHARS);
    assertThat(events.after(0, true, NOW).gap()).isTrue();
  }

  @Test
  void anAnswerIsBoundedAndTheNextGoesOn() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      add("x".repeat(1000));
    }
    EventBuffer.Batch first = events.after(0, true, NOW);
    assertThat(String.join("", first.events()).length())
        .isLessThanOrEqualTo(EventBuffer.MAX_ANSWER);
    assertThat(first.last()).isEqualTo(first.events().size()).isLessThan(1_000);
    assertThat(events.after(first.last(), true, NOW).events().getFirst())
        .contains("\"sequence\":" + (first.last() + 1) + ",");
  }

  @Test
  @DisplayName("PS-6 a number of another server, or one that is yet to come, is a gap")
  void unknownNumbers() throws Exception {
    add("one");
    assertThat(events.after(1, false, NOW).gap()).isTrue();
    assertThat(events.after(2, true, NOW).gap()).isTrue();
  }

  @Test
  void waitsForTheNextEvent() throws Exception {
    CompletableFuture<EventBuffer.Batch> waiting = waiting();
    add("one");
    assertThat(waiting.get(1, TimeUnit.MINUTES).events()).hasSize(1);
  }

  @Test
  void closingEndsTheWait() throws Exception {
    CompletableFuture<EventBuffer.Batch> waiting = waiting();
    events.close();
    assertThat(waiting.get(1, TimeUnit.MINUTES).events()).isEmpty();
  }

  @Test
  @DisplayName("PS-4 when too many wait, the wait of the oldest ends")
  void manyWait() throws Exception {
    List<CompletableFuture<EventBuffer.Batch>> all = new ArrayList<>();
    try (ExecutorService readers = Executors.newCachedThreadPool()) {
      for (int i = 0; i < EventBuffer.MAX_WAITING + 12; i++) {
        all.add(CompletableFuture.supplyAsync(this::readAfterStart, readers));
      }
      CountDownLatch ended = new CountDownLatch(12);
      all.forEach(each -> each.thenRun(ended::countDown));
      assertThat(ended.await(1, TimeUnit.MINUTES)).isTrue();
      assertThat(all).filteredOn(CompletableFuture::isDone).as("the others still wait").hasSize(12);
      add("one");
      for (CompletableFuture<EventBuffer.Batch> each : all) {
        each.get(1, TimeUnit.MINUTES);
      }
      assertThat(all).filteredOn(each -> each.join().last() == 1).hasSize(EventBuffer.MAX_WAITING);
    }
  }

  private CompletableFuture<EventBuffer.Batch> waiting() {
    return CompletableFuture.supplyAsync(this::readAfterStart);
  }

  private EventBuffer.Batch readAfterStart() {
    try {
      return events.after(0, true, Duration.ofMinutes(5));
    } catch (InterruptedException stopped) {
      throw new IllegalStateException(stopped);
    }
  }
}
