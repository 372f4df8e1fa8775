package io.probelet.monitor.node;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.monitor.MonitorFiles.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.probelet.health.Condition;
import io.probelet.health.ManualClock;
import io.probelet.monitor.node.NodeConditions.News;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.track.ClockReading;
import io.probelet.monitor.track.Evidence;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeConditionsTest {
  private static final Monitor LINK =
      read(
          """
          {'plugin': 'kmsg', 'source': 'link',
           'conditions': [{'type': 'Down', 'reason': 'Up', 'message': 'is up'},
                          {'type': 'NoRule', 'reason': 'R', 'message': 'm'}],
           'rules': [
             {'type': 'permanent', 'condition': 'Down', 'reason': 'NoCarrier', 'pattern': 'down'},
             {'type': 'permanent', 'condition': 'Down', 'reason': 'Slow', 'pattern': 'slow'},
             {'type': 'temporary', 'reason': 'Oops', 'pattern': 'oops', 'minCount': 2,
              'window': '1m'}]}\
          """);

  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T12:00:00Z"));
  private NodeConditions conditions = NodeConditions.of(Map.of("link", LINK));

  private ClockReading now() {
    return ClockReading.of(clock);
  }

  private List<String> see(String rule, Evidence evidence) {
    return take(conditions.observe("link/" + rule, evidence, now()));
  }

  private List<String> take(NodeConditions.Progress step) {
    conditions = step.after();
    List<String> news = new ArrayList<>();
    for (News one : step.news()) {
      news.add(
          switch (one) {
            case News.Changed(Condition condition) ->
                condition.type() + "=" + condition.status() + " " + condition.reason();
            case News.Happened(NodeEvent event) -> event.reason() + ": " + event.text();
          });
    }
    return news;
  }

  private void begin() {
    assertThat(see("Down/NoCarrier", new Evidence.Watching())).isEmpty();
    assertThat(see("Down/Slow", new Evidence.Watching())).containsExactly("Down=False Up");
  }

  @Test
  @DisplayName("B-17 an unobservable condition is removed, and added back when observable")
  void unavailable() {
    Evidence missing = new Evidence.Unavailable("no log");
    assertThat(conditions.specs()).as("nobody has tried").hasSize(1);
    assertThat(specsChange("Down/NoCarrier", missing)).isFalse();
    assertThat(specsChange("Down/Slow", missing)).isTrue();
    assertThat(conditions.specs()).isEmpty();
    assertThat(conditions.problems()).isEmpty();
    assertThat(specsChange("Down/Slow", missing)).isFalse();
    assertThat(specsChange("Down/Slow", new Evidence.Watching())).isTrue();
    assertThat(conditions.specs()).hasSize(1);
    assertThat(conditions.problems())
        .containsExactly(new NodeSnapshot.Problem("Down", "Slow", false));
  }

  private boolean specsChange(String rule, Evidence evidence) {
    NodeConditions.Progress step = conditions.observe("link/" + rule, evidence, now());
    conditions = step.after();
    return step.specsChanged();
  }

  @Test
  @DisplayName("A-4, NM-2 a change creates one event; a repetition or an unknown rule creates none")
  void news() {
    begin();
    assertThat(see("Down/NoCarrier", new Evidence.Matched("it is \"down\"")))
        .containsExactly(
            "Down=True NoCarrier",
            "NoCarrier: Node condition Down is now: True, reason: NoCarrier,"
                + " message: \"it is \\\"down\\\"\"");
    assertThat(see("Down/NoCarrier", new Evidence.Matched("down"))).isEmpty();
    assertThat(see("Gone/Rule", new Evidence.Matched("down"))).isEmpty();
    assertThat(see("Down/NoCarrier", new Evidence.Cleared()))
        .containsExactly(
            "Down=False Up",
            "Up: Node condition Down is now: False, reason: Up, message: \"is up\"");
    assertThat(conditions.counts()).containsEntry("NoCarrier", 1L).containsEntry("Slow", 0L);
    assertThat(conditions.conditions())
        .extracting(Condition::type, Condition::status)
        .containsExactly(tuple("Down", FALSE));
  }

  @Test
  @DisplayName("B-16 a further problem is counted and reported like the first")
  void alsoHolds() {
    begin();
    see("Down/NoCarrier", new Evidence.Matched("down"));
    assertThat(see("Down/Slow", new Evidence.Matched("slow")))
        .containsExactly(
            "Down=True NoCarrier",
            "Slow: Node condition Down is now: True, reason: Slow, message: \"slow\"");
    assertThat(conditions.counts()).containsEntry("Slow", 1L);
    assertThat(conditions.problems())
        .containsExactly(
            new NodeSnapshot.Problem("Down", "NoCarrier", true),
            new NodeSnapshot.Problem("Down", "Slow", true));
  }

  @Test
  @DisplayName("A-4, B-2 an event is counted when it happens")
  void event() {
    assertThat(see("/Oops", new Evidence.Matched("oops"))).isEmpty();
    assertThat(conditions.counts()).containsEntry("Oops", 0L);
    assertThat(see("/Oops", new Evidence.Matched("oops"))).containsExactly("Oops: oops");
    assertThat(conditions.counts()).containsEntry("Oops", 1L);
    assertThat(conditions.saveEvents(now())).isEmpty();
  }

  @Test
  @DisplayName("B-4, B-12 successors continue with state, counters and saved matches")
  void goesOn() {
    begin();
    see("Down/NoCarrier", new Evidence.Matched("down"));
    see("/Oops", new Evidence.Matched("oops"));
    assertThat(conditions.saveEvents(now())).containsOnlyKeys("link//Oops");
    NodeConditions before = conditions;

    conditions = NodeConditions.of(Map.of("link", LINK)).continueFrom(before);
    assertThat(conditions.counts()).isEqualTo(before.counts());
    assertThat(conditions.conditions()).isEqualTo(before.conditions());
    assertThat(see("/Oops", new Evidence.Matched("oops"))).containsExactly("Oops: oops");

    conditions =
        NodeConditions.of(Map.of("link", LINK))
            .restore(before.save(now()), before.saveEvents(now()), now());
    assertThat(conditions.conditions()).isEqualTo(before.conditions());
    assertThat(see("/Oops", new Evidence.Matched("oops"))).containsExactly("Oops: oops");

    conditions = NodeConditions.of(Map.of("link", LINK)).adopt(before.conditions(), now());
    assertThat(conditions.conditions()).isEqualTo(before.conditions());
    assertThat(conditions.specs()).extracting(spec -> spec.type()).containsExactly("Down");
  }

  @Test
  @DisplayName("B-5 without observation a condition becomes Unknown after its hold time")
  void time() {
    begin();
    see("Down/NoCarrier", new Evidence.Lost("gone"));
    assertThat(conditions.nextWakeUp()).contains(now().plus(Duration.ofMinutes(5)));
    clock.advance(Duration.ofMinutes(5));
    assertThat(take(conditions.at(now()))).first().isEqualTo("Down=Unknown NotObserved");
  }

  @Test
  @DisplayName("B-5 a due transition precedes simultaneous evidence: both are changes")
  void dueAndEvidence() {
    begin();
    see("Down/NoCarrier", new Evidence.Lost("gone"));
    clock.advance(Duration.ofMinutes(5));
    assertThat(see("Down/NoCarrier", new Evidence.Watching()))
        .filteredOn(news -> news.startsWith("Down="))
        .containsExactly("Down=Unknown NotObserved", "Down=False Up");
  }

  @ParameterizedTest(name = "{0} first")
  @DisplayName("B-2 the next wake-up is the earliest of all conditions, in any order")
  @CsvSource({"First, Second", "Second, First"})
  void nextWakeUp(String early, String late) {
    Monitor two =
        read(
            """
            {'plugin': 'kmsg', 'source': 's', 'conditions': [
               {'type': 'First', 'reason': 'Well', 'message': 'well'},
               {'type': 'Second', 'reason': 'Well', 'message': 'well'}],
             'rules': [
               {'type': 'permanent', 'condition': 'First', 'reason': 'Bad', 'pattern': 'bad',
                'debounce': '60s'},
               {'type': 'permanent', 'condition': 'Second', 'reason': 'Bad', 'pattern': 'bad',
                'debounce': '60s'}]}\
            """);
    conditions = NodeConditions.of(Map.of("link", two));
    assertThat(conditions.nextWakeUp()).isEmpty();
    clock.advance(Duration.ofSeconds(7));
    ClockReading due = now().plus(Duration.ofSeconds(60));
    see(early + "/Bad", new Evidence.Matched("bad"));
    clock.advance(Duration.ofSeconds(10));
    see(late + "/Bad", new Evidence.Matched("bad"));
    assertThat(conditions.nextWakeUp()).contains(due);
  }
}
