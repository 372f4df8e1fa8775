package io.probelet.kube.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.SystemClock;
import io.probelet.health.VirtualTime;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class LeaderElectionTest {
  private static final ElectionTiming TIMING =
      new ElectionTiming(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofMillis(500));

  /** Of the one that is frozen, whose time is the machine's. */
  static final ElectionTiming QUICK =
      new ElectionTiming(Duration.ofSeconds(2), Duration.ofMillis(1500), Duration.ofMillis(200));

  /** By then all have tried once more: what a standby waits is spread by a quarter. */
  private static final Duration ROUND = TIMING.retry().multipliedBy(5).dividedBy(4);

  /** Longer than any busy machine takes to answer. */
  static final Duration TIMEOUT = Duration.ofMinutes(1);

  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/default/leases/leader";

  private final VirtualTime time = new VirtualTime();
  private final FakeApiServer server = new FakeApiServer(time.clock());
  private final KubernetesClient client = server.client();
  private final AtomicInteger leading = new AtomicInteger();
  private final List<String> terms = new CopyOnWriteArrayList<>();
  private final List<Leadership> given = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  LeaderElectionTest() throws IOException {}

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
    client.close();
    server.close();
  }

  @Test
  @DisplayName("N-1 of two candidates one leads; when it retires, the other leads immediately")
  void handOver() {
    LeaderElection first = candidate("a");
    assertThat(terms).containsExactly("+a");
    LeaderElection second = candidate("b");
    assertThat(second.leader()).contains("a");
    time.advance(TIMING.lease().plus(ROUND));
    assertThat(terms).containsExactly("+a");

    first.close();

    time.advance(ROUND); // which is much less than a lease
    assertThat(terms).containsExactly("+a", "-a", "+b");
    assertThat(given.getFirst().isOn()).isFalse();
    assertThat(holder()).isEqualTo("b");
    assertThat(server.get(LEASE).at("/spec/leaseTransitions").asInt()).isEqualTo(2);
  }

  @Test
  @DisplayName("N-1 of two candidates with the same name one leads: identities are unique")
  void sameName() {
    candidate(LeaderElection.identity("node", new Random()));
    assertThat(terms).hasSize(1);
    LeaderElection second = candidate(LeaderElection.identity("node", new Random()));
    assertThat(second.leader().orElseThrow()).startsWith("node_");
    assertThat(terms).hasSize(1);
  }

  @Test
  @DisplayName("N-1 a leader whose lease was taken stops, and is a candidate again")
  void usurped() {
    candidate("a");
    assertThat(terms).containsExactly("+a");

    server.patch(LEASE, "{spec: {holderIdentity: usurper}}");
    time.advance(TIMING.retry());
    assertThat(terms).containsExactly("+a", "-a");
    time.advance(TIMING.lease().plus(ROUND)); // it never renews
    assertThat(terms).containsExactly("+a", "-a", "+a");
  }

  @Test
  @DisplayName("N-1 a leader that cannot reach the API server stops before its lease has run out")
  void cutOff() {
    candidate("a");
    assertThat(terms).containsExactly("+a");

    server.faults().away(true);

    time.advance(TIMING.deadline().minusNanos(1));
    assertThat(given.getFirst().isOn()).isTrue();
    time.advance(Duration.ofNanos(1));
    assertThat(given.getFirst().isOn()).isFalse();
    time.advance(TIMING.retry());
    assertThat(terms).containsExactly("+a", "-a");
  }

  @Test
  @DisplayName("a deleted lease is recreated by its leader, which stays leader")
  void deleted() {
    candidate("a");
    assertThat(terms).containsExactly("+a");

    server.delete(LEASE);
    assertThat(server.get(LEASE).isMissingNode()).isTrue();

    time.advance(TIMING.retry().multipliedBy(2));
    assertThat(server.get(LEASE).isMissingNode()).isFalse();
    assertThat(terms).containsExactly("+a");
    assertThat(given.getFirst().isOn()).isTrue();
  }

  @Test
  @DisplayName("N-1 resource versions that went back end the term, and the next one begins")
  void restored() {
    candidate("a");
    String early = server.get(LEASE).toString();
    time.advance(TIMING.retry().multipliedBy(2));
    assertThat(terms).containsExactly("+a");

    server.faults().failNext(409, "the object has been modified", "");
    server.faults().answerNext(200, early, false);
    time.advance(TIMING.retry());
    assertThat(terms).containsExactly("+a", "-a");
    assertThat(given.getFirst().isOn()).isFalse();
    time.advance(TIMING.retry());
    assertThat(terms).containsExactly("+a", "-a", "+a");
  }

  @Test
  @DisplayName("N-1 a leader frozen for longer than its lease makes no write afterwards")
  void frozen() throws Exception {
    try (CandidateProcess frozen = CandidateProcess.start(server.url(), "f")) {
      await().atMost(Duration.ofMinutes(2)).until(() -> !map().isMissingNode());

      frozen.signal("STOP");
      long since = SystemClock.INSTANCE.nanoTime();
      await().until(() -> SystemClock.INSTANCE.nanoTime() - since > QUICK.lease().toNanos());
      candidate("b");
      time.advance(TIMING.lease().plus(ROUND)); // what the frozen one respects for as long as this
      assertThat(terms).containsExactly("+b");
      int written = count();
      frozen.signal("CONT");

      await()
          .during(Duration.ofSeconds(1))
          .atMost(Duration.ofMinutes(1))
          // A request that was on its way may still arrive; it was decided on while leading.
          .until(() -> count() <= written + 1);
      assertThat(holder()).isEqualTo("b");
    }
  }

  @Test
  @DisplayName("N-1 a leader whose work cannot start releases the lease, and tries again")
  void workDoesNotBegin() {
    open.add(
        start(
            "a",
            term -> {
              given.add(term);
              throw new OutOfMemoryError("unable to create native thread");
            }));
    assertThatThrownBy(time::runDue).hasMessageContaining("unable to create native thread");
    assertThat(given.getFirst().isOn()).isFalse();
    assertThatThrownBy(() -> time.advance(TIMING.retry()))
        .hasMessageContaining("unable to create native thread");
    assertThat(given).hasSize(2);
    candidate("b");
    assertThat(terms).containsExactly("+b");
  }

  private int count() {
    return map().at("/data/count").asInt();
  }

  private LeaderElection candidate(String identity) {
    LeaderElection election =
        start(
            identity,
            term -> {
              assertThat(leading.incrementAndGet()).isEqualTo(1);
              given.add(term);
              terms.add("+" + identity);
              return () -> {
                leading.decrementAndGet();
                terms.add("-" + identity);
              };
            });
    open.add(election);
    time.runDue();
    return election;
  }

  private LeaderElection start(String identity, Function<Leadership, AutoCloseable> work) {
    return new LeaderElection(
        ApiServer.of(client, TIMEOUT),
        "default",
        "leader",
        identity,
        TIMING,
        time.clock(),
        new Random(1),
        work,
        time.loop(identity));
  }

  private String holder() {
    return server.get(LEASE).at("/spec/holderIdentity").asText();
  }

  /** What the frozen one writes. */
  private JsonNode map() {
    return server.get("/api/v1/namespaces/default/configmaps/f");
  }
}
