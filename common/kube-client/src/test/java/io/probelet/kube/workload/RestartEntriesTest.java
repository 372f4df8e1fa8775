package io.probelet.kube.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.probelet.health.ManualClock;
import io.probelet.kube.ApiResult.Unanswered;
import io.probelet.kube.workload.RestartEntries.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Entries of agents in the lease of a workload. */
class RestartEntriesTest {
  private static final Workload WEB =
      Workload.of("shop", "apps/v1", "ReplicaSet", "web", "00000000-0000-4000-8000-000000000001")
          .orElseThrow();

  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final CasStore store = new CasStore();
  private final RestartEntries a = new RestartEntries(store, "a", clock);
  private final RestartEntries b = new RestartEntries(store, "b", clock);

  @Test
  @DisplayName("D-9 added, held, removed, added")
  void together() {
    assertThat(a.enter(WEB, "p1", 34, false)).isEqualTo(new Entry.In(List.of("p1")));
    assertThat(b.enter(WEB, "p2", 34, false)).isInstanceOf(Entry.ReplicasUnknown.class);
    store.replicas(WEB, 5);
    assertThat(b.enter(WEB, "p2", 34, false))
        .asInstanceOf(type(Entry.Held.class))
        .extracting(Entry.Held::why)
        .isEqualTo("1 of 5 replicas of ReplicaSet shop/web are already restarting in the cluster");
    assertThat(a.enter(WEB, "p1", 34, false)).isInstanceOf(Entry.In.class);
    assertThat(a.leave(WEB, Set.of("p1", "other"))).isEmpty();
    assertThat(b.enter(WEB, "p2", 34, false)).isEqualTo(new Entry.In(List.of("p2")));
    assertThat(store.counter(WEB).restarting()).containsOnlyKeys("b");
    assertThat(a.leave(WEB, Set.of("p1"))).as("it is out").isEmpty();
  }

  @Test
  @DisplayName("D-11 a pod held long enough is added nevertheless")
  void anyway() {
    assertThat(a.enter(WEB, "p1", 34, false)).isInstanceOf(Entry.In.class);
    assertThat(b.enter(WEB, "p2", 34, true)).isEqualTo(new Entry.In(List.of("p2")));
    assertThat(store.counter(WEB).count()).isEqualTo(2);
    for (int pod = 0; pod < 40; pod++) {
      assertThat(a.enter(WEB, "more" + pod, 34, true)).isInstanceOf(Entry.In.class);
    }
    assertThat(store.counter(WEB).on("a")).hasSize(32);
    store.replicas(WEB, 1000);
    assertThat(a.enter(WEB, "last", 34, false))
        .asInstanceOf(type(Entry.Held.class))
        .extracting(Entry.Held::why)
        .isEqualTo("32 pods of ReplicaSet shop/web are already restarting on this node");
  }

  @Test
  @DisplayName("D-9 a lease that changes at every write holds the pod: others make progress")
  void contention() {
    assertThat(a.enter(WEB, "p1", 34, false)).isInstanceOf(Entry.In.class);
    store.replicas(WEB, 1000);
    store.calls = 0;
    store.after =
        () -> {
          Runnable hook = store.after;
          store.after = () -> {};
          store.replicas(WEB, 1000 + store.calls);
          store.after = hook;
        };
    assertThat(b.enter(WEB, "p2", 34, false)).isInstanceOf(Entry.Held.class);
    assertThat(b.leave(WEB, Set.of("p2"))).isEmpty();
    store.after = () -> {};
    assertThat(b.enter(WEB, "p2", 34, false)).isInstanceOf(Entry.In.class);
  }

  @Test
  @DisplayName("D-9 after two seconds there is no further attempt")
  void deadline() {
    assertThat(a.enter(WEB, "p1", 34, false)).isInstanceOf(Entry.In.class);
    store.calls = 0;
    store.before = () -> clock.advance(Duration.ofMillis(700));
    store.instead = CasStore.refused(409);
    assertThat(b.leave(WEB, Set.of("p2"))).isPresent();
    assertThat(store.calls).isEqualTo(1);
    store.instead = null;
    store.replicas(WEB, 100);
    store.after =
        () -> {
          Runnable hook = store.after;
          store.after = () -> {};
          store.replicas(WEB, 100 + store.calls);
          store.after = hook;
        };
    long begun = clock.nanoTime();
    assertThat(b.enter(WEB, "p2", 34, false)).isInstanceOf(Entry.Held.class);
    assertThat(clock.nanoTime() - begun).isLessThan(Duration.ofSeconds(7).toNanos());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 403, 422, 500})
  @DisplayName("D-10 no response, and an unusable one")
  void failures(int code) {
    store.instead = code == 0 ? new Unanswered("connection refused") : CasStore.refused(code);
    assertThat(a.enter(WEB, "p1", 34, false)).isInstanceOf(Entry.Failed.class);
    assertThat(a.leave(WEB, Set.of("p1"))).isPresent();
  }

  @Test
  @DisplayName("D-10 a node with a long name has no entries")
  void longNames() {
    assertThat(new RestartEntries(store, "n".repeat(63), clock).fits()).isTrue();
    assertThat(new RestartEntries(store, "n".repeat(64), clock).fits()).isFalse();
  }

  /** An agent that died. */
  private static final class Crash extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** A cluster with arbitrary interleaving of requests. */
  private final class Cluster {
    private static final int MAX_DEPTH = 3;
    private final Random random;
    private final int most;
    private final List<RestartEntries> agents = new ArrayList<>();

    /** Those that have been stopped and are not up again. */
    private final Set<String> restarting = new HashSet<>();

    /** Each does one thing at a time. */
    private final Set<Integer> busy = new HashSet<>();

    private int depth;
    private int entered;
    private int crashes;

    Cluster(long seed) {
      random = new Random(seed);
      int replicas = 1 + random.nextInt(12);
      most = RestartRules.most(replicas, 34);
      for (int agent = 0; agent < 5; agent++) {
        agents.add(new RestartEntries(store, "n" + agent, clock));
      }
      store.leases.clear();
      assertThat(agents.getFirst().enter(WEB, "n0-first", 34, false)).isInstanceOf(Entry.In.class);
      store.replicas(WEB, replicas);
      assertThat(agents.getFirst().leave(WEB, Set.of("n0-first"))).isEmpty();
      store.before = this::between;
      store.after = this::between;
    }

    private void between() {
      if (random.nextInt(12) == 0) {
        throw new Crash();
      }
      if (depth < MAX_DEPTH && random.nextInt(3) == 0) {
        act();
      }
    }

    void act() {
      int agent = random.nextInt(agents.size());
      if (!busy.add(agent)) {
        return;
      }
      depth++;
      String pod = "n" + agent + "-p" + random.nextInt(3);
      try {
        if (restarting.contains(pod)) {
          restarting.remove(pod); // it is up again, and only then taken out
          assertThat(agents.get(agent).leave(WEB, Set.of(pod))).isEmpty();
        } else if (agents.get(agent).enter(WEB, pod, 34, false) instanceof Entry.In) {
          restarting.add(pod);
          entered++;
          assertThat(new TreeSet<>(restarting)).hasSizeLessThanOrEqualTo(most);
        }
      } catch (Crash died) {
        crashes++;
      } finally {
        depth--;
        busy.remove(agent);
      }
    }
  }

  @Test
  @DisplayName("D-9 never more at once than allowed, with any interleaving and crash")
  void property() {
    int entered = 0;
    int crashes = 0;
    for (long seed = 0; seed < 300; seed++) {
      Cluster cluster = new Cluster(seed);
      for (int step = 0; step < 60; step++) {
        cluster.act();
      }
      entered += cluster.entered;
      crashes += cluster.crashes;
      store.before = () -> {};
      store.after = () -> {};
    }
    assertThat(entered).isGreaterThan(1000);
    assertThat(crashes).isGreaterThan(1000);
  }
}
