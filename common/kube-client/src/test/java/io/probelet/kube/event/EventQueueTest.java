package io.probelet.kube.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Aggregation, limits and fairness of events, in virtual time. */
class EventQueueTest {
  private static final String UNHEALTHY = "Unhealthy";
  private static final String KILLING = "Killing";

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T10:00:00Z"));
  private final EventQueue queue;

  /** The monotonic clock need not begin at zero. */
  EventQueueTest() {
    clock.advance(Duration.ofHours(1));
    queue = new EventQueue(clock.nanoTime());
  }

  private static InvolvedObject subject(String namespace, String pod) {
    return InvolvedObject.pod(namespace, pod, "uid-" + pod, "spec.containers{web}");
  }

  private boolean add(String namespace, String pod, String reason, String about, String message) {
    return queue.add(
        new ApiEvent(
            subject(namespace, pod),
            "probelet",
            "Warning",
            reason,
            about,
            message,
            reason.equals(KILLING)),
        clock.wallTime(),
        clock.nanoTime());
  }

  private void add(String pod, String message) {
    add("shop", pod, UNHEALTHY, "Liveness", message);
  }

  /** So many causes of one pod, each for the first time. */
  private void noise(String namespace, String pod, int causes) {
    for (int i = 0; i < causes; i++) {
      add(namespace, pod, UNHEALTHY, "cause " + i, "noise");
    }
  }

  private List<PendingEvent> written() {
    return written(Integer.MAX_VALUE);
  }

  private List<PendingEvent> written(int atMost) {
    List<PendingEvent> all = new ArrayList<>();
    for (Optional<PendingEvent> next = queue.next(clock.nanoTime());
        next.isPresent() && all.size() < atMost;
        next = queue.next(clock.nanoTime())) {
      queue.written(next.get(), clock.nanoTime());
      all.add(next.get());
    }
    return all;
  }

  /** Writes all there is, as at the very end. */
  private List<PendingEvent> drained() {
    List<PendingEvent> all = new ArrayList<>();
    for (Optional<PendingEvent> next = queue.unwritten(clock.nanoTime());
        next.isPresent();
        next = queue.unwritten(clock.nanoTime())) {
      queue.written(next.get(), clock.nanoTime());
      all.add(next.get());
    }
    return all;
  }

  private static String name(PendingEvent writing) {
    return writing.event().object().name();
  }

  @Test
  @DisplayName("the first occurrence is written immediately, repetitions are counted")
  void aggregates() {
    add("p", "timeout of 5 ms");
    assertThat(written()).singleElement().matches(PendingEvent::create);
    for (int i = 0; i < 100; i++) {
      add("p", "timeout of " + i + " ms");
    }
    assertThat(written()).isEmpty();
    assertThat(queue.waiting()).isEqualTo(1);
    clock.advance(Duration.ofMinutes(1));
    assertThat(written())
        .singleElement()
        .satisfies(update -> {
          assertThat(update.create()).isFalse();
          assertThat(update.count()).isEqualTo(101);
          assertThat(update.event().message()).isEqualTo("timeout of 99 ms");
        });
    assertThat(queue.waiting()).isZero();
  }

  @Test
  @DisplayName("D-6: a changed message is written immediately, a limited number of times")
  void otherWords() {
    add("p", "connection refused");
    written();
    add("p", "HTTP probe failed with statuscode: 500");
    assertThat(written())
        .singleElement()
        .matches(each -> each.event().message().endsWith("statuscode: 500"))
        .matches(each -> each.count() == 2 && !each.create());
    add("p", "HTTP probe failed with statuscode: 503");
    assertThat(written()).as("the same but for its number").isEmpty();
    int writes = 0;
    for (int i = 0; i < 100; i++) {
      add("p", i % 2 == 0 ? "connection refused" : "connection reset");
      writes += written().size();
    }
    assertThat(writes).isEqualTo(4);
  }

  @Test
  @DisplayName("a pod that flaps for a day writes less than a hundred times")
  void flapping() {
    int writes = 0;
    for (int second = 0; second < 86_400; second++) {
      add("p", "refused");
      writes += written().size();
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(writes).isBetween(80, 99);
  }

  @Test
  @DisplayName("one pod has 15 writes, three of them for kills, then one a minute")
  void perPod() {
    noise("shop", "noisy", 40);
    assertThat(written()).hasSize(12);
    add("shop", "noisy", KILLING, "Liveness", "will be restarted");
    assertThat(written()).singleElement().matches(each -> each.event().urgent());
    clock.advance(Duration.ofMinutes(3));
    assertThat(written()).hasSize(2);
  }

  @Test
  @DisplayName("all pods together have 100 writes, twenty of them for kills, then one a second")
  void allTogether() {
    for (int pod = 0; pod < 200; pod++) {
      add("p" + pod, "refused");
    }
    assertThat(written()).hasSize(80);
    add("shop", "killed", KILLING, "Liveness", "will be restarted");
    assertThat(written()).singleElement().matches(each -> name(each).equals("killed"));
    clock.advance(Duration.ofSeconds(11));
    assertThat(written()).hasSize(10);
  }

  @Test
  @DisplayName("kills go first, then new events, then counts")
  void order() {
    add("counted", "refused");
    written();
    add("counted", "refused");
    clock.advance(Duration.ofMinutes(2));
    add("first", "refused");
    add("shop", "killed", KILLING, "Liveness", "will be restarted");
    assertThat(written())
        .extracting(EventQueueTest::name)
        .containsExactly("killed", "first", "counted");
  }

  @ParameterizedTest(name = "after {0} of {1} kills at most {2} more are written before")
  @CsvSource({
    "0,   120, 1", // they came together
    "60,  120, 1", // in the middle of what is at hand
    "100, 220, 1", // what is at hand is used up, as what is kept for kills
  })
  @DisplayName("kills of one namespace hold up another's first event by one turn")
  void killsTakeTurns(int written, int kills, int before) {
    for (int pod = 0; pod < kills; pod++) {
      add("tenant", "evicted-" + pod, KILLING, "Liveness", "will be restarted");
    }
    assertThat(written(written)).hasSize(written);
    add("shop", "honest", UNHEALTHY, "Liveness", "refused");
    List<PendingEvent> next = new ArrayList<>();
    for (int second = 0; next.size() <= before; second++) {
      assertThat(second).isLessThan(10);
      next.addAll(written(before + 1 - next.size()));
      clock.advance(Duration.ofSeconds(1));
    }
    assertThat(next).extracting(EventQueueTest::name).contains("honest");
  }

  @Test
  @DisplayName("noise of many namespaces holds up a kill by no more than one write")
  void killsKeepTheirs() {
    for (int pod = 0; pod < 200; pod++) {
      add("tenant-" + pod, "noisy-" + pod, UNHEALTHY, "Liveness", "refused");
    }
    assertThat(written()).hasSize(80);
    add("shop", "killed", KILLING, "Liveness", "will be restarted");
    assertThat(written()).extracting(EventQueueTest::name).containsExactly("killed");
    for (int pod = 0; pod < 30; pod++) {
      add("shop", "killed-" + pod, KILLING, "Liveness", "will be restarted");
    }
    assertThat(written().stream().filter(each -> each.event().urgent())).hasSize(9); // of 19
    clock.advance(Duration.ofSeconds(10));
    assertThat(written().stream().filter(each -> each.event().urgent())).hasSize(5);
  }

  /**
   * Each with 12 causes or the kill alone, after as many others have filled the queue with theirs.
   */
  @ParameterizedTest(name = "{0} pods of {1} namespaces with {2} causes each: at most {3} before")
  @CsvSource({
    "1,   1,  50, 1", // one noisy neighbour
    "1,   1, 500, 1", // beyond what is kept of one
    "20,  1,  45, 1", // a tenant with many pods has the say of one with one
    "20, 20,  45, 20", // as many tenants take turns
    "100, 1,  12, 1", // more causes than are kept of all
  })
  @DisplayName("a quiet pod's first event waits for one turn of noisy namespaces only")
  void fair(int pods, int namespaces, int causes, int before) {
    for (int pod = 0; pod < pods; pod++) {
      noise("tenant-" + pod % namespaces, "noisy-" + pod, causes);
    }
    add("shop", "honest", UNHEALTHY, "Liveness", "refused");
    assertThat(written(before + 1)).extracting(EventQueueTest::name).contains("honest");
  }

  @Test
  @DisplayName("a pod that has used up its budget does not affect its neighbors")
  void neighbours() {
    for (int second = 0; second < 600; second++) {
      noise("tenant", "noisy-" + second % 10, 50);
      written();
      clock.advance(Duration.ofSeconds(1));
    }
    add("honest", "refused");
    add("shop", "honest", KILLING, "Liveness", "will be restarted");
    assertThat(written().stream().filter(each -> name(each).equals("honest")))
        .extracting(each -> each.event().reason())
        .containsExactly(KILLING, UNHEALTHY);
  }

  @Test
  @DisplayName("of a deleted object counts are dropped, and new events are still written")
  void gone() {
    add("p", "refused");
    written();
    add("p", "refused again");
    add("shop", "p", KILLING, "Liveness", "will be restarted");
    queue.gone(subject("shop", "p"));
    clock.advance(Duration.ofHours(1));
    assertThat(written())
        .singleElement()
        .satisfies(each -> assertThat(each.event().reason()).isEqualTo(KILLING));
    assertThat(queue.dropped(DropReason.GONE)).isEqualTo(1);
    assertThat(queue.waiting()).isZero();
  }

  @Test
  @DisplayName("causes per pod are limited; a kill finds room, and drops are counted")
  void causesOfOne() {
    noise("shop", "noisy", 60);
    assertThat(queue.waiting()).isEqualTo(50);
    assertThat(queue.dropped(DropReason.OBJECT_FULL)).isEqualTo(10);
    add("shop", "noisy", KILLING, "Liveness", "will be restarted");
    assertThat(queue.dropped(DropReason.OBJECT_FULL)).isEqualTo(11);
    assertThat(written().getFirst().event().urgent()).isTrue();
  }

  @Test
  @DisplayName("causes are limited in total; the namespace with most causes loses one")
  void causesOfAll() {
    add("honest", "refused");
    for (int pod = 0; pod < 40; pod++) {
      noise("tenant", "noisy-" + pod, 50);
    }
    assertThat(queue.waiting()).isEqualTo(EventQueue.MAX_CAUSES);
    assertThat(queue.dropped(DropReason.NODE_FULL)).isEqualTo(1001);
    for (int pod = 0; pod < 10; pod++) {
      add("shop", "honest-" + pod, UNHEALTHY, "Liveness", "refused");
    }
    assertThat(queue.waiting()).isEqualTo(EventQueue.MAX_CAUSES);
    assertThat(written(21).stream().filter(each -> name(each).startsWith("honest"))).hasSize(11);
  }

  @Test
  @DisplayName("the number of objects is limited")
  void objects() {
    for (int pod = 0; pod <= EventQueue.MAX_OBJECTS; pod++) {
      add("p" + pod, "refused");
    }
    assertThat(queue.waiting()).isEqualTo(EventQueue.MAX_OBJECTS);
    assertThat(queue.dropped(DropReason.NODE_FULL)).isEqualTo(1);
  }

  @Test
  @DisplayName("at shutdown all pending events are written, regardless of budgets")
  void atTheEnd() {
    noise("shop", "noisy", 40);
    written();
    add("shop", "noisy", UNHEALTHY, "cause 1", "again");
    List<PendingEvent> last = drained();
    assertThat(last).hasSize(29);
    assertThat(last.getLast().create()).as("counts come last").isFalse();
    assertThat(queue.waiting()).isZero();
  }

  @Test
  @DisplayName("an unwritten event keeps its name, so that a retry is idempotent")
  void sameName() {
    add("p", "refused");
    PendingEvent first = queue.next(clock.nanoTime()).orElseThrow();
    clock.advance(Duration.ofMinutes(5));
    add("p", "refused");
    PendingEvent again = queue.next(clock.nanoTime()).orElseThrow();
    assertThat(again.name()).isEqualTo(first.name());
    assertThat(again.create()).isTrue();
    assertThat(again.count()).isEqualTo(2);
  }

  @Test
  @DisplayName("an event that the server has dropped is created again")
  void lost() {
    add("p", "refused");
    PendingEvent first = written().getFirst();
    clock.advance(Duration.ofHours(2));
    add("p", "refused");
    queue.lost(first);
    assertThat(written()).singleElement().matches(PendingEvent::create);
  }

  @Test
  @DisplayName("permanently rejected events are dropped and counted")
  void refused() {
    add("p", "refused");
    queue.refused(queue.next(clock.nanoTime()).orElseThrow(), clock.nanoTime());
    assertThat(written()).isEmpty();
    assertThat(queue.dropped(DropReason.REFUSED)).isEqualTo(1);
  }

  @Test
  @DisplayName("a cause that is dropped and recurs during its write is written again")
  void forgottenWhileWritten() {
    add("p", "refused");
    PendingEvent underWay = queue.next(clock.nanoTime()).orElseThrow();
    queue.gone(subject("shop", "p"));
    queue.written(underWay, clock.nanoTime());
    clock.advance(Duration.ofSeconds(1));
    add("p", "refused");
    queue.written(underWay, clock.nanoTime()); // told late
    assertThat(written()).singleElement().matches(PendingEvent::create);
  }

  @ParameterizedTest
  @CsvSource({"1024, 1024", "1025, 1024", "100000, 1024"})
  @DisplayName("messages fit the API's limit, without split characters")
  void longMessage(int length, int kept) {
    add("p", "x".repeat(length - 2) + "😀");
    String message = written().getFirst().event().message();
    assertThat(message.length()).isLessThanOrEqualTo(kept);
    assertThat(message.codePoints()).noneMatch(c -> c >= 0xD800 && c <= 0xDFFF);
  }

  @Test
  @DisplayName("a namespace that rejects writes waits 1, 2, 4 … 64 s separately, and resets")
  void refusedNamespace() {
    add("full", "p", UNHEALTHY, "Liveness", "refused");
    Duration expected = Duration.ofSeconds(1);
    for (int refusal = 0; refusal < 9; refusal++) {
      PendingEvent next = queue.next(clock.nanoTime()).orElseThrow();
      assertThat(queue.refusedForNow(next, clock.nanoTime())).isEqualTo(refusal == 0);
      assertThat(queue.unwritten(clock.nanoTime())).as("not at the end either").isEmpty();
      add("shop", "p" + refusal, UNHEALTHY, "Liveness", "refused");
      assertThat(written()).singleElement().matches(each -> each.namespace().equals("shop"));
      clock.advance(expected.minusNanos(1));
      assertThat(queue.next(clock.nanoTime())).isEmpty();
      clock.advance(Duration.ofNanos(1));
      expected = Duration.ofSeconds(Math.min(64, 2 * expected.toSeconds()));
    }
    assertThat(written()).singleElement().matches(each -> each.namespace().equals("full"));
    add("full", "p", UNHEALTHY, "Readiness", "refused");
    PendingEvent next = queue.next(clock.nanoTime()).orElseThrow();
    assertThat(queue.refusedForNow(next, clock.nanoTime())).as("anew").isTrue();
    assertThat(queue.waiting()).isEqualTo(1);
  }

  @Test
  @DisplayName("the first occurrence, or one with a new message, is due immediately")
  void dueAtOnce() {
    assertThat(add("shop", "p", UNHEALTHY, "Liveness", "refused")).isTrue();
    written();
    assertThat(add("shop", "p", UNHEALTHY, "Liveness", "refused")).isFalse();
    assertThat(add("shop", "p", UNHEALTHY, "Liveness", "reset")).isTrue();
    noise("shop", "noisy", 50);
    assertThat(add("shop", "noisy", UNHEALTHY, "one too many", "noise")).isFalse();
  }

  @Test
  @DisplayName("the count includes writes of earlier processes")
  void continues() {
    add("p", "refused");
    PendingEvent first = queue.next(clock.nanoTime()).orElseThrow();
    queue.continues(first, 7);
    assertThat(queue.next(clock.nanoTime()))
        .hasValueSatisfying(next -> assertThat(next.before()).isEqualTo(7));
    queue.gone(subject("shop", "p"));
    queue.written(first, clock.nanoTime());
    queue.continues(first, 7); // told late
    queue.lost(first);
    assertThat(queue.waiting()).isZero();
  }

  @Test
  @DisplayName("an event whose name is taken gets another, once")
  void taken() {
    add("p", "refused");
    PendingEvent first = queue.next(clock.nanoTime()).orElseThrow();
    assertThat(queue.taken(first)).isTrue();
    PendingEvent renamed = queue.next(clock.nanoTime()).orElseThrow();
    assertThat(renamed.name()).isNotEqualTo(first.name());
    assertThat(queue.taken(renamed)).as("there is no third name").isFalse();
    queue.gone(subject("shop", "p"));
    queue.written(renamed, clock.nanoTime());
    assertThat(queue.taken(renamed)).as("forgotten meanwhile").isTrue();
  }

  @Test
  @DisplayName("beyond the object limit one without pending events is dropped")
  void forgetsTheIdle() {
    add("waits", "refused");
    written();
    add("waits", "refused");
    for (int pod = 1; pod < EventQueue.MAX_OBJECTS; pod++) {
      clock.advance(Duration.ofSeconds(2));
      add("p" + pod, "refused");
      queue.written(queue.next(clock.nanoTime()).orElseThrow(), clock.nanoTime());
    }
    add("late", "refused");
    assertThat(queue.dropped(DropReason.NODE_FULL)).as("nothing that waited").isZero();
    assertThat(drained()).extracting(EventQueueTest::name).containsExactly("late", "waits");
  }

  @Test
  @DisplayName("the namespace with most causes loses one, even if another has the pod with most")
  void namespaceGivesWay() {
    noise("few", "large", 50);
    noise("few", "larger", 50);
    for (int pod = 0; pod < 30; pod++) {
      noise("many", "small-" + pod, 30);
    }
    add("shop", "late", UNHEALTHY, "Liveness", "refused");
    assertThat(drained().stream().filter(each -> each.namespace().equals("few"))).hasSize(100);
  }

  /** A pod of a namespace that takes nothing, of which one event was written before. */
  private void held(String namespace) {
    add(namespace, "p", UNHEALTHY, "Liveness", "refused");
    written();
    clock.advance(Duration.ofMinutes(1));
    add(namespace, "p", UNHEALTHY, "Liveness", "refused");
    queue.refusedForNow(queue.next(clock.nanoTime()).orElseThrow(), clock.nanoTime());
  }

  @ParameterizedTest(name = "another pod in {0}: {1} events")
  @CsvSource({"shop, 1", "full, 0"})
  @DisplayName("a namespace's back-off lasts as long as its objects are known")
  void forgottenNamespace(String neighbours, int events) {
    add(neighbours, "neighbour", UNHEALTHY, "Liveness", "refused");
    written();
    held("full");
    queue.gone(subject("full", "p"));
    add("full", "late", UNHEALTHY, "Liveness", "refused");
    assertThat(written()).hasSize(events);
  }

  @Test
  @DisplayName("a deleted pod is dropped with its last event: a new one of its name starts again")
  void forgottenObject() {
    noise("shop", "p", 12);
    queue.gone(subject("shop", "p"));
    assertThat(written()).hasSize(12);
    noise("shop", "p", 12);
    assertThat(written()).hasSize(12);
  }

  @Test
  @DisplayName("of two pods in a namespace the one served longest ago goes first")
  void podsTakeTurns() {
    add("one", "refused");
    add("two", "refused");
    assertThat(written()).extracting(EventQueueTest::name).containsExactly("one", "two");
    add("shop", "one", UNHEALTHY, "Readiness", "refused");
    written();
    add("shop", "one", UNHEALTHY, "Startup", "refused");
    add("shop", "two", UNHEALTHY, "Startup", "refused");
    assertThat(written()).extracting(EventQueueTest::name).containsExactly("two", "one");
  }

  @Test
  @DisplayName("a known cause takes no room from another")
  void knownCause() {
    noise("shop", "noisy", 50);
    noise("shop", "noisy", 50);
    assertThat(queue.waiting()).isEqualTo(50);
    assertThat(queue.dropped(DropReason.OBJECT_FULL)).isZero();
  }

  @Test
  @DisplayName("of a deleted object only counts are dropped, one per cause")
  void countsOfWhatIsGone() {
    add("p", "refused");
    written();
    add("p", "refused");
    noise("shop", "p", 3);
    queue.gone(subject("shop", "p"));
    assertThat(queue.dropped(DropReason.GONE)).isEqualTo(1);
    assertThat(queue.waiting()).isEqualTo(3);
  }
}
