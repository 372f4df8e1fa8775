package io.probelet.health;

import static io.probelet.health.ConditionStatus.FALSE;
import static io.probelet.health.ConditionStatus.PROGRESSING;
import static io.probelet.health.ConditionStatus.TRUE;
import static io.probelet.health.ConditionStatus.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ConditionTest {

  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:10Z");
  private static final Instant UPDATED = Instant.parse("2026-01-01T00:00:11Z");
  private static final Instant NOW = Instant.parse("2026-01-01T01:00:00Z");
  private static final List<String> CODES = List.of("ERR_INFRA_DEPENDENCIES");
  private static final Condition OLD =
      new Condition("Ready", FALSE, SINCE, UPDATED, "Broken", "It broke.", CODES);

  @Test
  @DisplayName("CH-1 CC-5 an unchanged condition keeps both times, and is the same object")
  void sameAgain() {
    assertThat(OLD.update(FALSE, "Broken", "It broke.", CODES, NOW)).isSameAs(OLD);
  }

  @Test
  @DisplayName("CH-1 quoted text stays on one line, within the limits of Kubernetes")
  void hostileTexts() {
    Condition said =
        OLD.update(FALSE, "Bro\nken\u001b[2J", "one\ntwo\u2028" + "x".repeat(99_999), CODES, NOW);
    assertThat(said.reason()).isEqualTo("Bro ken");
    assertThat(said.message()).startsWith("one two xxx").hasSize(32_768);
    assertThat(OLD.update(FALSE, "\u001b[0m", "\n", CODES, NOW).reason()).isEqualTo("Unspecified");
  }

  @ParameterizedTest
  @DisplayName("CH-1 CC-5 the transition time follows the status, the update time any field")
  @CsvSource({
    "True,  Broken, It broke.,  ERR_INFRA_DEPENDENCIES,    true",
    "False, Fixed,  It broke.,  ERR_INFRA_DEPENDENCIES,    false",
    "False, Broken, It burned., ERR_INFRA_DEPENDENCIES,    false",
    "False, Broken, It broke.,  ERR_CONFIGURATION_PROBLEM, false",
  })
  void times(String status, String reason, String message, String code, boolean transition) {
    Condition updated =
        OLD.update(ConditionStatus.parse(status), reason, message, List.of(code), NOW);

    assertThat(updated.lastTransitionTime()).isEqualTo(transition ? NOW : SINCE);
    assertThat(updated.lastUpdateTime()).isEqualTo(NOW);
  }

  @Test
  @DisplayName("CH-1 codes are replaced, never inherited, each once")
  void codes() {
    assertThat(OLD.update(FALSE, "Broken", "It broke.", List.of(), NOW).codes()).isEmpty();
    assertThat(OLD.update(FALSE, "Broken", "It broke.", List.of("B", "A", "B"), NOW).codes())
        .containsExactly("B", "A");
  }

  @Test
  @DisplayName("CH-1 a new condition is Unknown and ConditionInitialized, with both times now")
  void initial() {
    Condition initial = Condition.initial("Ready", NOW);

    assertThat(initial.status()).isEqualTo(UNKNOWN);
    assertThat(initial.reason()).isEqualTo("ConditionInitialized");
    assertThat(initial.lastTransitionTime()).isEqualTo(NOW);
    assertThat(initial.lastUpdateTime()).isEqualTo(NOW);
  }

  @Test
  @DisplayName("CH-1 an empty reason or message gets a default text")
  void emptyWords() {
    Condition updated = OLD.update(PROGRESSING, "", "", List.of(), NOW);

    assertThat(updated.reason()).isEqualTo("Unspecified");
    assertThat(updated.message()).isEqualTo("No message given.");
  }

  @Test
  void aConditionNeedsAType() {
    assertThatThrownBy(() -> Condition.initial(" ", NOW)).hasMessageContaining("needs a type");
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("CH-1 a status is read in its written form")
  void statusRoundTrip(ConditionStatus status) {
    assertThat(ConditionStatus.parse(status.toString())).isEqualTo(status);
  }

  @Test
  void otherStatusesAreRefused() {
    assertThat(TRUE).hasToString("True");
    assertThatThrownBy(() -> ConditionStatus.parse("true"))
        .hasMessage("\"true\" is not a condition status; use True, False, Unknown, Progressing");
  }
}
