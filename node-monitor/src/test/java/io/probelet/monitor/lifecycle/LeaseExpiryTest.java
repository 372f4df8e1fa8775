package io.probelet.monitor.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.monitor.lifecycle.LeaseExpiry.Lease;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** When an agent counts as gone, in virtual time. */
class LeaseExpiryTest {
  private static final long SECOND = Duration.ofSeconds(1).toNanos();

  private final LeaseExpiry leaseExpiry = new LeaseExpiry();

  private static Map<String, Lease> lease(String renewed) {
    return Map.of("n1", new Lease(renewed, Duration.ofSeconds(60)));
  }

  /** The monotonic clock may stand anywhere, and even overflow. */
  @ParameterizedTest(name = "beginning at {0}")
  @ValueSource(longs = {0, -7_000_000_000L, 1_000_000_000_000L, Long.MAX_VALUE - 30_000_000_000L})
  @DisplayName(
      "B-6 a lease expires a duration after it was last seen to change, whatever times it "
          + "contains")
  void expires(long start) {
    assertThat(read("1970", start, 0, 60)).isEmpty(); // how old it is, other clocks say
    assertThat(leaseExpiry.expired(lease("1970"), start + 61 * SECOND)).containsOnlyKeys("n1");
    assertThat(read("1971", start, 70, 130)).isEmpty();
    assertThat(leaseExpiry.expired(lease("1971"), start + 131 * SECOND)).containsOnlyKeys("n1");
  }

  @Test
  @DisplayName("B-6 a deleted lease does not expire, and starts again when recreated")
  void deleted() {
    assertThat(leaseExpiry.expired(lease("a"), 0)).isEmpty();
    assertThat(leaseExpiry.expired(Map.of(), 100 * SECOND)).isEmpty();
    assertThat(leaseExpiry.expired(lease("a"), 101 * SECOND)).isEmpty();
  }

  @Test
  @DisplayName(
      "B-6 while leases cannot be read none expires, and afterwards agents have two thirds of a lease"
          + " to renew theirs")
  void outage() {
    assertThat(read("a", 0, 0, 30)).isEmpty();
    leaseExpiry.unread();
    assertThat(leaseExpiry.expired(lease("a"), 330 * SECOND)).isEmpty();
    assertThat(read("a", 0, 340, 370)).isEmpty();
    assertThat(leaseExpiry.expired(lease("a"), 371 * SECOND)).containsOnlyKeys("n1");
  }

  @Test
  @DisplayName("B-6 a failed read every half minute hides no agent that is gone")
  void flaky() {
    assertThat(read("a", 0, 0, 20)).isEmpty();
    int seconds = 20;
    while (leaseExpiry.expired(lease("a"), seconds * SECOND).isEmpty()) {
      leaseExpiry.unread();
      Map<String, Lease> _ = read("a", 0, seconds + 20, seconds + 30);
      seconds += 30;
      assertThat(seconds).isLessThan(300);
    }
  }

  @Test
  @DisplayName("B-6 an agent that was gone before an outage is gone after it")
  void stillGone() {
    assertThat(read("a", 0, 0, 70)).containsOnlyKeys("n1");
    leaseExpiry.unread();
    assertThat(leaseExpiry.expired(lease("a"), 90 * SECOND)).containsOnlyKeys("n1");
  }

  /** Reads every 10 s; returns what has expired at the end. */
  private Map<String, Lease> read(String renewed, long start, int from, int to) {
    Map<String, Lease> expired = Map.of();
    for (int at = from; at <= to; at += 10) {
      expired = leaseExpiry.expired(lease(renewed), start + at * SECOND);
    }
    return expired;
  }
}
