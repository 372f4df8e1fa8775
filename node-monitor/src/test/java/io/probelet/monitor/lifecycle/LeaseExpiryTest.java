package io.probelet.monitor.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.lifecycle.LeaseExpiry.Lease;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** When an agent counts as gone, by virtual time. */
class LeaseExpiryTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LeaseExpiry leaseExpiry = new LeaseExpiry();

  private static Map<String, Lease> lease(String renewed) {
    return Map.of("n1", new Lease(renewed, Duration.ofSeconds(60)));
  }

  @Test
  @DisplayName("B-6 a lease expires a duration after it was last seen to change, whatever it says")
  void expires() {
    assertThat(leaseExpiry.expired(lease("1970"), 0)).isEmpty(); // how old it is, other clocks say
    assertThat(leaseExpiry.expired(lease("1970"), 60 * SECOND)).isEmpty();
    assertThat(leaseExpiry.expired(lease("1970"), 61 * SECOND)).containsOnlyKeys("n1");
    assertThat(leaseExpiry.expired(lease("1971"), 70 * SECOND)).isEmpty();
    assertThat(leaseExpiry.expired(lease("1971"), 131 * SECOND)).containsOnlyKeys("n1");
  }

  @Test
  @DisplayName("B-6 a lease that was deleted says nothing, and begins anew when it is back")
  void deleted() {
    assertThat(leaseExpiry.expired(lease("a"), 0)).isEmpty();
    assertThat(leaseExpiry.expired(Map.of(), 100 * SECOND)).isEmpty();
    assertThat(leaseExpiry.expired(lease("a"), 101 * SECOND)).isEmpty();
  }
}
