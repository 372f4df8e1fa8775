package io.probelet.checks.result;

import static io.probelet.checks.error.ErrorCode.ERR_CONFIGURATION_PROBLEM;
import static io.probelet.checks.error.ErrorCode.ERR_INFRA_DEPENDENCIES;
import static io.probelet.checks.result.CheckResult.healthy;
import static io.probelet.checks.result.CheckResult.notExecuted;
import static io.probelet.checks.result.CheckResult.progressing;
import static io.probelet.checks.result.CheckResult.unhealthy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.Condition;
import io.probelet.health.ConditionStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CheckAggregatorTest {

  private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");
  private static final Duration FIVE_MINUTES = Duration.ofMinutes(5);

  @Test
  @DisplayName("CH-7 CC-1 all healthy → True, counted")
  void allHealthy() {
    ConditionUpdate update = CheckAggregator.aggregate(List.of(healthy(), healthy()));

    assertThat(update.status()).isEqualTo(ConditionStatus.TRUE);
    assertThat(update.reason()).isEqualTo("HealthCheckSuccessful");
    assertThat(update.message()).isEqualTo("(2/2) Health checks successful");
  }

  @Test
  @DisplayName("CH-54 no opinion is no success: alone it is Unknown, beside others it is told")
  void noOpinion() {
    CheckResult none = CheckResult.noOpinion("it reports nothing");

    ConditionUpdate alone = CheckAggregator.aggregate(List.of(none, none));
    assertThat(alone.status()).isEqualTo(ConditionStatus.UNKNOWN);
    assertThat(alone.reason()).isEqualTo("HealthCheckNoOpinion");
    assertThat(alone.message())
        .isEqualTo("no health check has an opinion: 1) it reports nothing. 2) it reports nothing.");
    ConditionUpdate beside = CheckAggregator.aggregate(List.of(none, healthy()));
    assertThat(beside.status()).isEqualTo(ConditionStatus.TRUE);
    assertThat(beside.message()).isEqualTo("(1/2) Health checks successful, 1 without an opinion");
    assertThat(CheckAggregator.aggregate(List.of(none, unhealthy("a"))).message()).isEqualTo("a.");
    assertThat(
            CheckAggregator.aggregate(List.of(CheckResult.unhealthy("x".repeat(40_000)))).message())
        .as("no metav1.Condition may be longer")
        .hasSize(32_768);
  }

  @Test
  @DisplayName("CH-7 CC-2 one failed, one progressing → False, each group headed")
  void failedAndProgressing() {
    ConditionUpdate update =
        CheckAggregator.aggregate(List.of(progressing("b", FIVE_MINUTES), unhealthy("a")));

    assertThat(update.status()).isEqualTo(ConditionStatus.FALSE);
    assertThat(update.reason()).isEqualTo("HealthCheckUnsuccessful");
    assertThat(update.message()).isEqualTo("Failed check: a. Progressing check: b.");
    assertThat(update.progressingThreshold()).isNull();
  }

  @Test
  @DisplayName("CH-7 CC-3 what could not be executed outranks all else")
  void notExecutedFirst() {
    ConditionUpdate update =
        CheckAggregator.aggregate(
            List.of(healthy(), unhealthy("a"), notExecuted("no API"), notExecuted("no DNS")));

    assertThat(update.status()).isEqualTo(ConditionStatus.UNKNOWN);
    assertThat(update.reason()).isEqualTo("ConditionCheckError");
    assertThat(update.message())
        .isEqualTo(
            "failed to execute 2 health checks: "
                + "Unable to execute checks: 1) no API. 2) no DNS. Failed check: a.");
  }

  static Stream<List<Object>> messages() {
    return Stream.of(
        List.of(List.of(), List.of("MyBad"), List.of(), "MyBad."),
        List.of(List.of(), List.of(), List.of("fail again"), "fail again."),
        List.of(List.of(), List.of("already has dot."), List.of(), "already has dot."),
        List.of(List.of("error 1", "error 2"), List.of(), List.of(), "1) error 1. 2) error 2."),
        List.of(
            List.of(),
            List.of("MyBad"),
            List.of("xyz", "abc"),
            "Failed check: MyBad. Progressing checks: 1) xyz. 2) abc."),
        List.of(
            List.of("could not reach API"),
            List.of("deployment unhealthy"),
            List.of("scaling up"),
            "Unable to execute check: could not reach API. Failed check: deployment unhealthy. "
                + "Progressing check: scaling up."));
  }

  @ParameterizedTest
  @MethodSource("messages")
  @DisplayName("CH-8 one item is a sentence, several are numbered, groups are headed in order")
  @SuppressWarnings("unchecked")
  void message(List<Object> row) {
    assertThat(
            Details.of(
                (List<String>) row.get(0), (List<String>) row.get(1), (List<String>) row.get(2)))
        .isEqualTo(row.get(3));
  }

  @Test
  @DisplayName("CH-8 within a group the order of registration counts")
  void order() {
    assertThat(CheckAggregator.aggregate(List.of(unhealthy("z"), unhealthy("a"))).message())
        .isEqualTo("1) z. 2) a.");
  }

  @ParameterizedTest
  @DisplayName("CH-9 CC-4 Progressing turns False only after its threshold, never from False")
  @CsvSource({
    "none,        0,  Progressing, HealthCheckProgressing",
    "True,        60, Progressing, HealthCheckProgressing",
    "Progressing, 4,  Progressing, HealthCheckProgressing",
    "Progressing, 5,  Progressing, HealthCheckProgressing",
    "Progressing, 6,  False,       HealthCheckUnsuccessful",
    "Unknown,     4,  Progressing, HealthCheckProgressing",
    "Unknown,     6,  False,       HealthCheckUnsuccessful",
    "False,       1,  False,       HealthCheckUnsuccessful",
  })
  void progressingThreshold(String previous, int minutes, String status, String reason) {
    Condition condition =
        CheckAggregator.aggregate(List.of(progressing("rolling out", FIVE_MINUTES)))
            .applyTo(previous(previous, Duration.ofMinutes(minutes)), NOW);

    assertThat(condition.status()).hasToString(status);
    assertThat(condition.reason()).isEqualTo(reason);
    assertThat(condition.message()).isEqualTo("rolling out.");
  }

  @ParameterizedTest
  @DisplayName("CH-9 without a threshold Progressing is False immediately")
  @CsvSource({"none", "True", "Progressing"})
  void noThreshold(String previous) {
    ConditionUpdate update =
        CheckAggregator.aggregate(
            List.of(new CheckResult.Progressing("rolling out", List.of(), null)));

    assertThat(update.applyTo(previous(previous, Duration.ZERO), NOW).status())
        .isEqualTo(ConditionStatus.FALSE);
  }

  @ParameterizedTest
  @DisplayName("CH-7 the smallest threshold counts")
  @CsvSource(
      value = {"5, 2, 2", "2, 5, 2", "NULL, 3, 3"},
      nullValues = "NULL")
  void smallestThreshold(@Nullable Integer first, Integer second, Integer expected) {
    ConditionUpdate update =
        CheckAggregator.aggregate(
            List.of(
                new CheckResult.Progressing(
                    "a", List.of(), first == null ? null : Duration.ofMinutes(first)),
                progressing("b", Duration.ofMinutes(second))));

    assertThat(update.progressingThreshold()).isEqualTo(Duration.ofMinutes(expected));
  }

  @Test
  @DisplayName("CH-7 codes are those of all failed and progressing checks, each once, in order")
  void codes() {
    ConditionUpdate update =
        CheckAggregator.aggregate(
            List.of(
                unhealthy("a", ERR_INFRA_DEPENDENCIES),
                unhealthy("b", ERR_CONFIGURATION_PROBLEM, ERR_INFRA_DEPENDENCIES)));

    assertThat(update.applyTo(Condition.initial("A", NOW), NOW).codes())
        .containsExactly("ERR_INFRA_DEPENDENCIES", "ERR_CONFIGURATION_PROBLEM");
  }

  @Test
  @DisplayName("CC-5 the same update again is the same condition")
  void unchanged() {
    ConditionUpdate update = CheckAggregator.aggregate(List.of(unhealthy("a")));
    Condition first = update.applyTo(Condition.initial("A", NOW), NOW);

    assertThat(update.applyTo(first, NOW.plusSeconds(30))).isSameAs(first);
  }

  @Test
  @DisplayName("CH-10 without any result → Unknown")
  void nothingStarted() {
    ConditionUpdate update = CheckAggregator.notExecuted("the API is away");

    assertThat(update.status()).isEqualTo(ConditionStatus.UNKNOWN);
    assertThat(update.message()).isEqualTo("unable to execute any health check: the API is away");
  }

  @Test
  @DisplayName("CH-6 hibernated → True")
  void hibernated() {
    assertThat(CheckAggregator.hibernated("Shoot"))
        .isEqualTo(
            new ConditionUpdate(
                ConditionStatus.TRUE,
                "HealthCheckSuccessful",
                "Shoot is hibernated",
                List.of(),
                null));
  }

  @Test
  void aConditionWithoutChecksIsAMistake() {
    assertThatThrownBy(() -> CheckAggregator.aggregate(List.of()))
        .hasMessage("a condition needs at least one check");
  }

  private static Condition previous(String status, Duration age) {
    return status.equals("none")
        ? Condition.initial("A", NOW)
        : Condition.initial("A", NOW.minus(age))
            .update(ConditionStatus.parse(status), "Before", "before", List.of(), NOW.minus(age));
  }
}
