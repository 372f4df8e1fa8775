package io.probelet.kube.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.health.ManualClock;
import io.probelet.health.SystemClock;
import io.probelet.kube.ApiServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
@EnableKubernetesMockClient(crud = true, https = false)
class LeaderElectionTest {
  static final ElectionTiming QUICK =
      new ElectionTiming(Duration.ofSeconds(6), Duration.ofSeconds(4), Duration.ofMillis(500));

  /** Longer than any busy machine takes to answer. */
  static final Duration TIMEOUT = Duration.ofMinutes(1);

  private static final Duration STEP = Duration.ofMillis(100);

  private KubernetesClient client;
  private KubernetesMockServer server;
  private final ManualClock clock = new ManualClock(SystemClock.INSTANCE.wallTime());
  private final AtomicInteger leading = new AtomicInteger();
  private final List<String> terms = new CopyOnWriteArrayList<>();
  private final List<Term> given = new CopyOnWriteArrayList<>();
  private final List<AutoCloseable> open = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  @DisplayName("N-1 of two candidates one leads; when it retires the other does, at once")
  void handOver() {
    LeaderElection first = candidate("a");
    patiently().until(() -> terms.equals(List.of("+a")));
    LeaderElection second = candidate("b");
    patiently().until(() -> second.leader().isPresent());
    assertThat(second.leader()).contains("a");
    assertThat(terms).containsExactly("+a");

    first.close();

    patiently().until(() -> terms.contains("+b")); // no time has passed
    assertThat(terms).containsExactly("+a", "-a", "+b");
    assertThat(given.getFirst().isOn()).isFalse();
    assertThat(lease().get().getSpec().getHolderIdentity()).isEqualTo("b");
    assertThat(lease().get().getSpec().getLeaseTransitions()).isEqualTo(2);
  }

  @Test
  @DisplayName("N-1 of two candidates of one name one leads: each has an identity of its own")
  void sameName() {
    candidate(LeaderElection.identity("node"));
    patiently().until(() -> terms.size() == 1);
    LeaderElection second = candidate(LeaderElection.identity("node"));
    patiently().until(() -> second.leader().isPresent());
    assertThat(second.leader().orElseThrow()).startsWith("node_");
    assertThat(terms).hasSize(1);
  }

  @Test
  @DisplayName("N-1 a leader whose lease someone else has taken stops, and stands again")
  void usurped() {
    candidate("a");
    patiently().until(() -> terms.equals(List.of("+a")));

    // Again and again, as the mocked server may let a renewal win that it ought to refuse.
    patiently()
        .until(() -> {
          usurp();
          return terms.equals(List.of("+a", "-a"));
        });
    patiently() // it never renews
        .until(() -> {
          clock.advance(QUICK.retry());
          return terms.size() > 2;
        });
    assertThat(terms).startsWith("+a", "-a", "+a");
  }

  private void usurp() {
    lease()
        .edit(lease -> {
          lease.getSpec().setHolderIdentity("usurper");
          return lease;
        });
  }

  @Test
  @DisplayName("N-1 a leader that cannot reach the API server stops before its lease has run out")
  void cutOff() {
    candidate("a");
    patiently().until(() -> terms.equals(List.of("+a")));

    server.shutdown();

    clock.advance(QUICK.deadline().minusNanos(1));
    assertThat(given.getFirst().isOn()).isTrue();
    clock.advance(Duration.ofNanos(1));
    assertThat(given.getFirst().isOn()).isFalse();
    patiently().until(() -> terms.equals(List.of("+a", "-a")));
  }

  @Test
  @DisplayName("a lease that someone deletes is made anew by its leader, which leads on")
  void deleted() {
    candidate("a");
    patiently().until(() -> terms.equals(List.of("+a")));

    String uid = lease().get().getMetadata().getUid();
    patiently() // as for the usurper
        .until(() -> {
          lease().delete();
          Lease now = lease().get();
          return now == null || !now.getMetadata().getUid().equals(uid);
        });

    patiently().until(() -> lease().get() != null);
    assertThat(terms).containsExactly("+a");
    assertThat(given.getFirst().isOn()).isTrue();
  }

  @Test
  @DisplayName("N-1 a leader frozen for longer than its lease begins no write when it wakes")
  void frozen() throws Exception {
    try (CandidateProcess frozen =
        CandidateProcess.start("http://" + server.getHostName() + ":" + server.getPort(), "f")) {
      patiently().until(() -> map("f").get() != null);

      frozen.signal("STOP");
      candidate("b");
      patiently() // its clock is no faster than that of the other, and stands still while it leads
          .pollInterval(STEP)
          .until(() -> {
            clock.advance(STEP);
            return terms.contains("+b");
          });
      int written = count();
      frozen.signal("CONT");

      await()
          .during(Duration.ofSeconds(1))
          .atMost(Duration.ofMinutes(1))
          // A request that was on its way may still arrive; it was decided on while leading.
          .until(() -> count() <= written + 1);
      assertThat(lease().get().getSpec().getHolderIdentity()).isEqualTo("b");
    }
  }

  @Test
  @DisplayName("N-1 who cannot begin its work gives the lease to who can, and tries again")
  void workDoesNotBegin() throws Exception {
    CountDownLatch tried = new CountDownLatch(2);
    open.add(
        LeaderElection.start(
            ApiServer.of(client, TIMEOUT),
            "default",
            "leader",
            "a",
            QUICK,
            clock,
            new Random(1),
            term -> {
              given.add(term);
              tried.countDown();
              throw new OutOfMemoryError("unable to create native thread");
            }));
    assertThat(tried.await(1, TimeUnit.MINUTES)).isTrue();
    assertThat(given.getFirst().isOn()).isFalse();
    candidate("b");
    patiently().until(() -> terms.contains("+b"));
  }

  private static ConditionFactory patiently() {
    return await().atMost(Duration.ofMinutes(2));
  }

  private int count() {
    return Integer.parseInt(map("f").get().getData().get("count"));
  }

  private LeaderElection candidate(String identity) {
    LeaderElection election =
        LeaderElection.start(
            ApiServer.of(client, TIMEOUT),
            "default",
            "leader",
            identity,
            QUICK,
            clock,
            new Random(1),
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
    return election;
  }

  private Resource<Lease> lease() {
    return client.leases().inNamespace("default").withName("leader");
  }

  private Resource<ConfigMap> map(String name) {
    return client.configMaps().inNamespace("default").withName(name);
  }
}
