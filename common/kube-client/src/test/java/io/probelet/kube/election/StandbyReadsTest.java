package io.probelet.kube.election;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.kube.election.ElectionRules.Seen;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandbyReadsTest {
  private static final Duration LEASE = ElectionTiming.DEFAULT.lease();
  private static final Duration RETRY = ElectionTiming.DEFAULT.retry();

  @Test
  @DisplayName("few standbys read continuously, and are ready when the lease may be acquired")
  void few() {
    StandbyReads standbyReads = new StandbyReads(RETRY, () -> 0.5);
    standbyReads.among(3);
    assertThat(standbyReads.next(LEASE, LEASE)).isEqualTo(RETRY);
    assertThat(standbyReads.next(Duration.ofSeconds(9), LEASE)).isEqualTo(RETRY);
    assertThat(standbyReads.next(Duration.ofMillis(700), LEASE)).isEqualTo(Duration.ofMillis(700));
  }

  @Test
  @DisplayName("many standbys read pairs, a lease apart, with rests of at most 75 s")
  void many() {
    StandbyReads standbyReads = new StandbyReads(RETRY, () -> 1);
    standbyReads.among(15_000);
    assertThat(standbyReads.next(LEASE, LEASE)).isEqualTo(LEASE);
    assertThat(standbyReads.next(LEASE, LEASE)).isEqualTo(Duration.ofSeconds(75));
    assertThat(standbyReads.next(LEASE, LEASE)).isEqualTo(LEASE);
    assertThat(standbyReads.next(Duration.ofSeconds(1), LEASE)).isEqualTo(Duration.ofSeconds(1));
  }

  @ParameterizedTest(name = "{0} standbys: at most {1} reads a second")
  @CsvSource({"1, 1", "3, 2", "100, 55", "700, 60", "3000, 90", "15000, 420"})
  @DisplayName("Acceptance 4: a dead leader is replaced in time, with any number of standbys")
  void takeOver(int standbys, int readsPerSecond) {
    Random random = new Random(7);
    record Standby(ElectionRules rules, StandbyReads standbyReads) {}
    record Read(long at, Standby by) {}
    PriorityQueue<Read> queue = new PriorityQueue<>(Comparator.comparingLong(Read::at));
    for (int i = 0; i < standbys; i++) {
      StandbyReads standbyReads = new StandbyReads(RETRY, random::nextDouble);
      standbyReads.among(standbys);
      Standby standby =
          new Standby(new ElectionRules("s" + i, ElectionTiming.DEFAULT), standbyReads);
      queue.add(new Read(random.nextLong(RETRY.toNanos()), standby));
    }
    long death = Duration.ofMinutes(10).toNanos();
    long reads = 0;
    while (true) {
      Read read = queue.remove();
      long renewals = Math.min(read.at(), death) / RETRY.toNanos();
      Seen lease = new Seen("leader", "v" + renewals, LEASE, 0, null);
      reads += read.at() < death ? 1 : 0;
      ElectionRules rules = read.by().rules().see(lease, read.at());
      if (rules.mayTake(lease, read.at())) {
        Duration waited = Duration.ofNanos(read.at() - death / RETRY.toNanos() * RETRY.toNanos());
        assertThat(waited).isBetween(LEASE, LEASE.plus(RETRY).plusMillis(500));
        assertThat(reads / 600.0).isLessThanOrEqualTo(readsPerSecond);
        return;
      }
      StandbyReads standbyReads = read.by().standbyReads();
      Duration pause = standbyReads.next(rules.remaining(lease, read.at()), rules.wait(lease));
      queue.add(new Read(read.at() + pause.toNanos(), new Standby(rules, standbyReads)));
    }
  }
}
