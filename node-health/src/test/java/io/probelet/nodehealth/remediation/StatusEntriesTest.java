package io.probelet.nodehealth.remediation;

import static io.probelet.nodehealth.remediation.HealthCheckBuilder.check;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.template;
import static io.probelet.nodehealth.remediation.HealthCheckBuilder.twoSteps;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.nodehealth.remediation.ObservedRemediation.Success;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.Phase;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.TrackedRemediation;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus.UnhealthyNode;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the status says of a node, from what it said and what exists. */
class StatusEntriesTest {
  private static final HealthCheckBuilder ESCALATION = twoSteps(2, 3);

  private static Instant second(int second) {
    return Scene.START.plusSeconds(second);
  }

  private static ObjectRef ref(String kind, String name) {
    return new ObjectRef("example.io/v1", kind, "remedies", name);
  }

  private static TrackedRemediation remembered(String kind, String template, Integer timedOut) {
    return new TrackedRemediation(
        ref(kind, "n1"),
        "old-uid",
        second(1),
        timedOut == null ? null : second(timedOut),
        template);
  }

  private static ObservedRemediation existing(
      String kind, String name, String template, int created) {
    return new ObservedRemediation(
        ref(kind, name),
        kind + name,
        second(created),
        false,
        Map.of(),
        Map.of(WireNames.TEMPLATE_NAME, template),
        List.of(),
        Success.UNKNOWN,
        false);
  }

  private static List<TrackedRemediation> entries(
      HealthCheckBuilder check, List<TrackedRemediation> before, ObservedRemediation... existing) {
    NodeHealthCheckStatus status =
        new NodeHealthCheckStatus(
            1,
            0,
            List.of(new UnhealthyNode("n1", before, null, false)),
            List.of(),
            Phase.REMEDIATING,
            "",
            null);
    return new StatusEntries(check.spec(), status).of("n1", List.of(existing));
  }

  @ParameterizedTest
  @CsvSource({
    "FirstRemediation, first, 9, true",
    "FirstRemediation, first, , false",
    "FirstRemediation, elsewhere, 9, false",
    "OtherRemediation, first, 9, false",
  })
  @DisplayName("R-18 of what does not exist, only a step that was given up is remembered")
  void worthRemembering(String kind, String template, Integer timedOut, boolean stays) {
    TrackedRemediation old = remembered(kind, template, timedOut);
    assertThat(entries(ESCALATION, List.of(old)))
        .isEqualTo(stays ? List.of(old) : List.<TrackedRemediation>of());
  }

  @Test
  @DisplayName("R-18 without an escalation there is no step to go on to: it is started again")
  void onlyOfAnEscalation() {
    assertThat(entries(check(), List.of(remembered("RebootRemediation", "reboot", 9)))).isEmpty();
  }

  @Test
  @DisplayName("R-17 one entry for each template, in the order in which they were started")
  void order() {
    assertThat(
            entries(
                ESCALATION,
                List.of(remembered("FirstRemediation", "first", 9)),
                existing("SecondRemediation", "b", "second", 5),
                existing("SecondRemediation", "a", "second", 6),
                existing("AnotherRemediation", "b", "x", 7),
                existing("AnotherRemediation", "a", "y", 7),
                existing("ARemediation", "c", "z", 7)))
        .extracting(entry -> entry.resource().kind() + "/" + entry.resource().name())
        .containsExactly(
            "FirstRemediation/n1",
            "SecondRemediation/b",
            "ARemediation/c",
            "AnotherRemediation/a",
            "AnotherRemediation/b");
  }
}
