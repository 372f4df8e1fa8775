package io.probelet.nodehealth.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PolicyBookTest {
  private static final Instant NOW = Instant.parse("2026-06-10T12:00:00Z");
  private static final PastRemediation ENTRY = new PastRemediation("n1", "RebootRemediation", NOW);
  private static final Map<String, String> A = Map.of("pool", "a");
  private static final Map<String, String> B = Map.of("pool", "b");

  private final PolicyBook book = new PolicyBook();

  private boolean put(String spec, PastRemediation... seen) {
    return book.put(Policies.policy("p", spec), List.of(seen), List.of(A, A, B));
  }

  private int nodes() {
    return book.find("p").orElseThrow().selectedNodes();
  }

  private List<PastRemediation> history() {
    return book.find("p").orElseThrow().history();
  }

  @Test
  @DisplayName("ACT-78 the nodes that a policy selects are counted as they come, change and go")
  void nodeCount() {
    assertThat(put("{selector: {matchLabels: {pool: a}}}")).isTrue();
    assertThat(nodes()).isEqualTo(2);
    assertThat(book.nodeChanged(null, A)).isTrue();
    assertThat(book.nodeChanged(null, B)).isFalse();
    assertThat(book.nodeChanged(B, A)).isTrue();
    assertThat(nodes()).isEqualTo(4);
    assertThat(book.nodeChanged(A, null)).isTrue();
    assertThat(nodes()).isEqualTo(3);
    assertThat(put("{selector: {matchLabels: {pool: a}}}")).isFalse();
    assertThat(nodes()).as("as it was counted on").isEqualTo(3);
    assertThat(put("{selector: {matchLabels: {pool: b}}}")).isTrue();
    assertThat(nodes()).as("counted anew").isEqualTo(1);
    assertThat(put("{paused: true}")).isTrue();
    assertThat(nodes()).isEqualTo(3);
  }

  @Test
  @DisplayName("ACT-79 what was begun counts before the status shows it, and once when it does")
  void unseen() {
    put("{maxPerHour: 1}");
    book.count("p", ENTRY);
    book.count("gone", ENTRY);
    assertThat(history()).containsExactly(ENTRY);
    put("{maxPerHour: 1}");
    assertThat(history()).as("an older version").containsExactly(ENTRY);
    put("{maxPerHour: 1}", ENTRY);
    assertThat(history()).containsExactly(ENTRY);
    book.count("p", ENTRY);
    book.uncount("p", ENTRY);
    assertThat(history()).as("it is in the status").containsExactly(ENTRY);
    put("{maxPerHour: 1}");
    assertThat(history()).as("the status was cleared").isEmpty();
  }

  @Test
  @DisplayName("ACT-79 only entries of the status that no limit needs any more are forgotten")
  void expired() {
    PastRemediation hourAgo =
        new PastRemediation("n1", "RebootRemediation", NOW.minus(Duration.ofHours(1)));
    PastRemediation younger =
        new PastRemediation("n2", "RebootRemediation", NOW.minus(Duration.ofMinutes(59)));
    put("{maxPerHour: 1}", younger, hourAgo);
    book.count("p", ENTRY);
    assertThat(book.expired("p", NOW)).containsExactly("2026-06-10T11:00:00Z n1");
    assertThat(book.expired("p", NOW.plus(Duration.ofHours(2)))).hasSize(2);
    assertThat(book.expired("gone", NOW)).isEmpty();
    put("{backstop: {times: 9, within: 2h}}", younger, hourAgo);
    assertThat(book.expired("p", NOW)).isEmpty();
  }

  @Test
  @DisplayName("ACT-79 what is known not to have been written counts no more")
  void uncount() {
    put("{maxPerHour: 1}");
    book.count("p", ENTRY);
    assertThat(history()).containsExactly(ENTRY);
    book.uncount("p", ENTRY);
    book.uncount("gone", ENTRY);
    assertThat(history()).isEmpty();
  }

  @Test
  @DisplayName("ACT-79 what no limit asks for any more is forgotten")
  void forgotten() {
    put("{backstop: {times: 9, within: 2h}}");
    book.count("p", ENTRY);
    Instant later = NOW.plus(Duration.ofHours(2));
    book.count("p", new PastRemediation("n2", "RebootRemediation", later.minusMillis(1)));
    assertThat(history()).hasSize(2);
    book.count("p", new PastRemediation("n3", "RebootRemediation", later));
    assertThat(history()).extracting(PastRemediation::node).containsExactly("n2", "n3");
  }

  @Test
  @DisplayName("policies come and go by name")
  void names() {
    assertThat(book.isEmpty()).isTrue();
    assertThat(book.names()).isEmpty();
    book.put(Policies.policy("q", "{}"), List.of(), List.of());
    put("{}");
    assertThat(book.isEmpty()).isFalse();
    assertThat(book.names()).containsExactly("p", "q");
    book.remove("p");
    assertThat(book.names()).containsExactly("q");
    assertThat(book.find("p")).isEmpty();
  }

  @Test
  @DisplayName("ACT-79 another policy of the same name has counted nothing yet")
  void anotherOfTheName() {
    put("{maxPerHour: 1}");
    book.count("p", ENTRY);
    RemediationPolicy other = Policies.policy("p", "{maxPerHour: 1}");
    book.put(
        new RemediationPolicy("p", "other", other.selector(), other.limits()),
        List.of(),
        List.of());
    assertThat(history()).isEmpty();
    assertThat(book.facts(List.of()).policies()).hasSize(1);
    book.remove("p");
    assertThat(book.isEmpty()).isTrue();
    assertThat(book.facts(List.of())).isEqualTo(PolicyFacts.NONE);
  }
}
