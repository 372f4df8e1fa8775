package io.probelet.agent.cluster.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.ManualClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How it is known that an agent is not heard. */
class HeartbeatTest {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T10:00:00Z"));
  private FakeApiServer server;
  private KubernetesClient client;
  private ApiServer api;

  @BeforeEach
  void open() throws IOException {
    server = new FakeApiServer();
    client = server.client();
    api = ApiServer.of(client, Duration.ofSeconds(60));
  }

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private Heartbeat heartbeat() {
    return new Heartbeat(api, "probelets", "here", clock, new Random(1));
  }

  @Test
  @DisplayName("a lease that has run out is not ok, and says since when and why")
  void ranOut() throws Exception {
    server.faults().refuse("/leases/here", 503, "starting");
    try (Heartbeat heartbeat = heartbeat()) {
      assertThat(heartbeat.problem()).isEmpty();
      clock.advance(Duration.ofSeconds(185));
      await()
          .untilAsserted(() ->
              assertThat(heartbeat.problem())
                  .hasValue(
                      "the lease probelets/here was not renewed for 185 s: 503" + " starting"));
      server.faults().refuse(null, 0, "");
      await().atMost(Duration.ofMinutes(1)).until(() -> heartbeat.problem().isEmpty());
      clock.advance(Duration.ofSeconds(59));
      assertThat(heartbeat.problem()).isEmpty();
    }
  }

  @Test
  @DisplayName("another's request without an answer makes it ask at once, for others to go on soon")
  void scout() throws Exception {
    try (Heartbeat _ = heartbeat()) {
      await().until(() -> beats(server) == 1);
      CountDownLatch back = new CountDownLatch(1);
      api.whenBack(back::countDown);
      server.faults().failNext(503, "starting", "");
      var _ = api.get("/readyz?x=1");
      assertThat(back.await(10, TimeUnit.SECONDS)).as("long before the next beat").isTrue();
      assertThat(beats(server)).isGreaterThan(1);
    }
  }

  @Test
  @DisplayName(
      "the leader took no agent for gone whose lease has not run out: nothing is written again")
  void shortOutage() throws Exception {
    try (Heartbeat heartbeat = heartbeat()) {
      await().until(() -> beats(server) == 1);
      AtomicInteger again = new AtomicInteger();
      heartbeat.whenBack(again::incrementAndGet);
      beatAgain(server, api, Duration.ofSeconds(59));
      beatAgain(server, api, Duration.ofSeconds(1)); // the first one has come to its end
      assertThat(again).hasValue(0);
      beatAgain(server, api, Duration.ofSeconds(60));
      await().until(() -> again.get() == 1);
    }
  }

  @Test
  @DisplayName("a lease runs out a minute after it was renewed, however late the answer came")
  void lateAnswer() throws Exception {
    server.faults().hangOn("/leases/here");
    try (Heartbeat heartbeat = heartbeat()) {
      AtomicInteger again = new AtomicInteger();
      heartbeat.whenBack(again::incrementAndGet);
      await().until(server.faults()::hangs);
      clock.advance(Duration.ofSeconds(20));
      server.faults().letGo();
      await().until(() -> server.writesDone("/leases/here").size() == 1);
      beatAgain(server, api, Duration.ofSeconds(45));
      await().until(() -> again.get() == 1);
    }
  }

  @Test
  @DisplayName(
      "beats of a cluster that an outage brought into step spread again; two fit into a lease")
  void periods() {
    Random random = new Random(1);
    List<Long> millis =
        random.ints(1000).mapToObj(_ -> Heartbeat.period(random).toMillis()).sorted().toList();
    assertThat(millis.getFirst()).isBetween(20_000L, 20_100L);
    assertThat(millis.getLast()).isBetween(24_900L, 25_000L);
  }

  /** An outage: a beat fails, time passes, and the next beat succeeds. */
  private void beatAgain(FakeApiServer server, ApiServer api, Duration outage) throws Exception {
    CountDownLatch back = new CountDownLatch(1);
    api.whenBack(back::countDown);
    long before = beats(server);
    server.faults().refuse("/leases/here", 503, "starting");
    server.faults().failNext(503, "starting", "");
    var _ = api.get("/readyz?x=1");
    await().until(() -> beats(server) > before);
    clock.advance(outage);
    server.faults().refuse(null, 0, "");
    assertThat(back.await(1, TimeUnit.MINUTES)).isTrue();
  }

  private static long beats(FakeApiServer server) {
    return server.requests().stream().filter(each -> each.path().endsWith("/leases/here")).count();
  }

  @Test
  @DisplayName("after an outage one success tells all who ask the same server")
  void oneSuccess() throws Exception {
    CountDownLatch back = new CountDownLatch(1);
    api.whenBack(back::countDown);
    var _ = api.get("/readyz?x=1");
    assertThat(back.getCount()).as("it was never away").isEqualTo(1);
    server.faults().failNext(503, "starting", "");
    var _ = api.get("/readyz?x=1");
    server.faults().failNext(403, "not yet", "");
    var _ = api.get("/readyz?x=1");
    assertThat(back.getCount()).isEqualTo(1);
    var _ = api.get("/readyz?x=1");
    assertThat(back.await(0, TimeUnit.SECONDS)).isTrue();
  }
}
