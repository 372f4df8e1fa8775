package io.probelet.monitor.publish;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import io.probelet.monitor.publish.PublishPlan.NodeMarks;
import io.probelet.monitor.rule.ConditionSpec;
import io.probelet.monitor.rule.TaintSpec;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishPlanTest {
  private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");
  private static final TaintSpec TAINT = TaintSpec.parse("probelet.io/disk:NoSchedule", 20);

  private static Condition condition(String type, ConditionStatus status) {
    return new Condition(type, status, NOW, NOW, "Reason", "message", List.of());
  }

  private static List<String> words(String text) {
    return text == null ? List.of() : List.of(text.split(" ", -1));
  }

  private static ConditionSpec spec(String type) {
    return ConditionSpec.of(type, "Well", "all is well");
  }

  private static ConditionSpec tainting(String type) {
    ConditionSpec well = spec(type);
    return new ConditionSpec(
        type,
        well.reason(),
        well.message(),
        well.holdFor(),
        well.flapCount(),
        well.flapWindow(),
        TAINT);
  }

  private static NodeMarks marks(String boot, String types, TaintSpec... taints) {
    return new NodeMarks(Ownership.of(boot, words(types)), List.of(taints));
  }

  @ParameterizedTest(name = "{0}: owned {1} of boot {2}, watched {3}, known {4}")
  @CsvSource(
      nullValues = "-",
      value = {
        "first of all              , -      , -     , A B , A   , A     , -",
        "not checked yet           , A B    , boot  , A B , A   , A B   , -",
        "nothing known yet         , A      , boot  , A   , -   , none  , none",
        "watched no more           , A Old  , boot  , A   , A   , A     , Old",
        "the last watched no more  , Old    , boot  , -   , -   , -     , Old",
        "watched since now         , A      , boot  , A B , A B , A B   , -",
        "of an earlier boot        , A B    , before, A B , A   , A     , B",
        "all of an earlier boot    , A B    , before, A B , -   , -     , A B",
        "nothing at all            , -      , -     , -   , -   , none  , none",
      })
  @DisplayName("B-4, B-6 which conditions are written, owned and removed")
  void ownership(
      String given,
      String owned,
      String boot,
      String watched,
      String known,
      String ours,
      String gone) {
    NodeMarks before =
        owned == null ? new NodeMarks(Ownership.NONE, List.of()) : marks(boot, owned);
    List<Condition> conditions = words(known).stream().map(type -> condition(type, TRUE)).toList();
    var plan =
        PublishPlan.of(
            before, "boot", words(watched).stream().map(t -> spec(t)).toList(), conditions);
    if ("none".equals(ours)) {
      assertThat(plan).as(given).isEmpty();
      return;
    }
    assertThat(plan).as(given).isPresent();
    assertThat(plan.get().conditions()).isEqualTo(conditions);
    assertThat(plan.get().gone()).isEqualTo(new TreeSet<>(words(gone)));
    assertThat(plan.get().marks().conditions())
        .isEqualTo(ours == null ? Ownership.NONE : Ownership.of("boot", words(ours)));
  }

  @ParameterizedTest
  @CsvSource({
    "boot,   TRUE,    false, true",
    "boot,   TRUE,    true,  true",
    "boot,   FALSE,   true,  false",
    "boot,   UNKNOWN, true,  true",
    "boot,   UNKNOWN, false, false",
    "boot,   ,        true,  true",
    "boot,   ,        false, false",
    "before, UNKNOWN, true,  false",
    "before, ,        true,  false",
    "before, TRUE,    true,  true",
  })
  @DisplayName("B-11 a taint is wanted while its condition is True, and stays while it is unknown")
  void taints(String boot, ConditionStatus status, boolean before, boolean wanted) {
    NodeMarks marks = before ? marks(boot, "A", TAINT) : marks(boot, "A");
    List<Condition> known =
        Stream.concat(
                Stream.of(condition("Other", TRUE)),
                Stream.ofNullable(status).map(one -> condition("A", one)))
            .toList();
    PublishPlan plan =
        PublishPlan.of(marks, "boot", List.of(tainting("A"), spec("Other")), known).orElseThrow();
    assertThat(plan.marks().taints()).isEqualTo(wanted ? List.of(TAINT) : List.of());
  }

  @Test
  @DisplayName("B-11 a taint without a monitor is removed even if nothing else changes")
  void taintGoes() {
    var plan = PublishPlan.of(marks("boot", "A", TAINT), "boot", List.of(spec("A")), List.of());
    assertThat(plan.orElseThrow().marks().taints()).isEmpty();
    assertThat(plan.get().gone()).isEmpty();
  }

  @Test
  @DisplayName("B-8 known conditions are written each time, as heartbeat")
  void heartbeat() {
    List<Condition> known = List.of(condition("A", FALSE));
    PublishPlan plan =
        PublishPlan.of(marks("boot", "A"), "boot", List.of(spec("A")), known).orElseThrow();
    assertThat(plan.conditions()).isEqualTo(known);
  }

  @Test
  @DisplayName("B-6 conditions, removals and ownership are one patch")
  void onePatch() {
    ObjectNode patch =
        new PublishPlan(List.of(condition("A", TRUE)), Set.of("Old"), marks("boot", "A", TAINT))
            .patch(NOW);
    assertThat(patch.at("/status/conditions").findValuesAsText("type")).containsExactly("A", "Old");
    assertThat(patch.at("/status/conditions/1/$patch").asText()).isEqualTo("delete");
    assertThat(patch.at("/metadata/annotations").path(Ownership.ANNOTATION).asText())
        .isEqualTo("{\"boot\":\"boot\",\"types\":[\"A\"]}");
    assertThat(patch.at("/metadata/annotations").path(NodeTaints.WANTED).asText())
        .contains("probelet.io/disk:NoSchedule");
  }

  @Test
  @DisplayName("B-4 conditions on the Node are adopted if its agent wrote them in this boot")
  void adoptable() {
    Condition gone =
        new Condition("B", UNKNOWN, NOW, NOW, AbsentAgent.REASON, "not heard", List.of());
    List<Condition> onNode = List.of(condition("A", TRUE), gone);
    Ownership owned = Ownership.of("boot", List.of("A", "B"));
    assertThat(PublishPlan.adoptable(owned, onNode, "boot")).containsExactly(condition("A", TRUE));
    assertThat(PublishPlan.adoptable(owned, onNode, "later")).isEmpty();
  }
}
