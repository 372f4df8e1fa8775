package io.probelet.monitor.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.lead.LeaseBook.Lease;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When an agent counts as gone, by virtual time. */
class LeaseBookTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LeaseBook book = new LeaseBook();

  private static Map<String, Lease> lease(String renewed) {
    return Map.of("n1", new Lease(renewed, Duration.ofSeconds(60)));
  }

  @Test
  @DisplayName("B-6 a lease expires a duration after it was last seen to change, whatever it says")
  void expires() {
    assertThat(book.expired(lease("1970"), 0)).isEmpty(); // how old it is, other clocks say
    assertThat(book.expired(lease("1970"), 60 * SECOND)).isEmpty();
    assertThat(book.expired(lease("1970"), 61 * SECOND)).containsOnlyKeys("n1");
    assertThat(book.expired(lease("1971"), 70 * SECOND)).isEmpty();
    assertThat(book.expired(lease("1971"), 131 * SECOND)).containsOnlyKeys("n1");
  }

  @Test
  @DisplayName("B-6 a lease that was deleted says nothing, and begins anew when it is back")
  void deleted() {
    assertThat(book.expired(lease("a"), 0)).isEmpty();
    assertThat(book.expired(Map.of(), 100 * SECOND)).isEmpty();
    assertThat(book.expired(lease("a"), 101 * SECOND)).isEmpty();
  }
}
