package io.probelet.kube.delegated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.health.ManualClock;
import io.probelet.kube.ApiResult;
import io.probelet.kube.ApiResult.Done;
import io.probelet.kube.ApiResult.Refused;
import io.probelet.kube.ApiResult.Unanswered;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DelegatedAccessTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String GOOD = "good-token";
  private static final String SCRAPER = "system:serviceaccount:monitoring:prometheus-k8s";
  private static final InetAddress CLIENT = InetAddress.ofLiteral("10.0.0.1");
  private static final InetAddress OTHER = InetAddress.ofLiteral("10.0.0.2");

  private final ManualClock clock = new ManualClock(Instant.EPOCH);
  private final List<JsonNode> asked = new ArrayList<>();
  private boolean away;
  private boolean allowed = true;
  private boolean known = true;

  private final DelegatedAccess access = new DelegatedAccess(this::review, "/metrics", clock);

  private ApiResult review(String path, JsonNode review) {
    asked.add(review);
    if (away) {
      return new Unanswered("connection refused");
    }
    if (path.equals(Reviews.TOKEN_REVIEWS)) {
      return done(
          known && review.at("/spec/token").asText().startsWith(GOOD)
              ? """
              {"status": {"authenticated": true, "user": {"username": "%s", "uid": "7",
                "groups": ["system:authenticated"], "extra": {"pod": ["p"]}}}}
              """
                  .formatted(SCRAPER)
              : "{\"status\": {\"error\": \"invalid bearer token\"}}");
    }
    return done("{\"status\": {\"allowed\": " + allowed + "}}");
  }

  private static ApiResult done(String answer) {
    try {
      return new Done(JSON.readTree(answer));
    } catch (java.io.IOException impossible) {
      throw new AssertionError(impossible);
    }
  }

  private Access check(String token) throws InterruptedException {
    return access.check(token, CLIENT);
  }

  private long reviews(String kind) {
    return asked.stream().filter(each -> each.path("kind").asText().equals(kind)).count();
  }

  @Test
  @DisplayName("the API server is asked whose token it is, and whether that user may get the path")
  void granted() throws Exception {
    assertThat(check(GOOD)).isEqualTo(new Access.Granted(SCRAPER));
    assertThat(asked.get(0))
        .isEqualTo(
            JSON.readTree(
                """
                {"apiVersion": "authentication.k8s.io/v1", "kind": "TokenReview",
                  "spec": {"token": "good-token"}}
                """));
    assertThat(asked.get(1))
        .isEqualTo(
            JSON.readTree(
                """
                {"apiVersion": "authorization.k8s.io/v1", "kind": "SubjectAccessReview",
                  "spec": {"user": "%s", "uid": "7", "groups": ["system:authenticated"],
                    "extra": {"pod": ["p"]},
                    "nonResourceAttributes": {"path": "/metrics", "verb": "get"}}}
                """
                    .formatted(SCRAPER)));
  }

  @Test
  @DisplayName("a valid token is reviewed every two minutes, its user every five")
  void cached() throws Exception {
    for (int second = 0; second < 600; second += 10) {
      assertThat(check(GOOD)).isInstanceOf(Access.Granted.class);
      clock.advance(Duration.ofSeconds(10));
    }
    assertThat(reviews("TokenReview")).isEqualTo(5);
    assertThat(reviews("SubjectAccessReview")).isEqualTo(2);
  }

  @Test
  @DisplayName("a denied user is denied for half a minute, then reviewed again")
  void forbidden() throws Exception {
    allowed = false;
    assertThat(check(GOOD)).isEqualTo(new Access.Forbidden(SCRAPER));
    allowed = true;
    clock.advance(Duration.ofSeconds(29));
    assertThat(check(GOOD)).isEqualTo(new Access.Forbidden(SCRAPER));
    clock.advance(Duration.ofSeconds(1));
    assertThat(check(GOOD)).isEqualTo(new Access.Granted(SCRAPER));
  }

  @Test
  @DisplayName("a revoked permission is noticed after five minutes, a revoked token after two")
  void revoked() throws Exception {
    assertThat(check(GOOD)).isInstanceOf(Access.Granted.class);
    known = false;
    clock.advance(Duration.ofMinutes(2));
    assertThat(check(GOOD)).isEqualTo(new Access.Unauthenticated());
    known = true;
    allowed = false;
    clock.advance(Duration.ofMinutes(3));
    assertThat(check(GOOD)).isEqualTo(new Access.Forbidden(SCRAPER));
  }

  @Test
  @DisplayName("while the API server is unreachable cached answers expire, then access is denied")
  void failsClosed() throws Exception {
    assertThat(check(GOOD)).isInstanceOf(Access.Granted.class);
    away = true;
    clock.advance(Duration.ofSeconds(119));
    assertThat(check(GOOD)).isInstanceOf(Access.Granted.class);
    clock.advance(Duration.ofSeconds(1));
    assertThat(check(GOOD)).isInstanceOf(Access.Unavailable.class);
    assertThat(check("another")).isInstanceOf(Access.Unavailable.class);
    away = false;
    assertThat(check(GOOD)).isInstanceOf(Access.Granted.class);
  }

  @Test
  @DisplayName("without permission for reviews access is denied")
  void withoutRights() throws Exception {
    DelegatedAccess without =
        new DelegatedAccess(
            (_, _) -> new Refused(403, "User \"agent\" cannot create resource", null),
            "/metrics",
            clock);
    assertThat(without.check(GOOD, CLIENT))
        .isEqualTo(new Access.Unavailable("403 User \"agent\" cannot create resource"));
  }

  @Test
  @DisplayName("an answer without a status or user denies access")
  void odd() throws Exception {
    for (String answer :
        List.of("{}", "[]", "{\"status\": {\"authenticated\": true, \"user\": {}}}")) {
      DelegatedAccess odd = new DelegatedAccess((_, _) -> done(answer), "/metrics", clock);
      assertThat(odd.check(GOOD, CLIENT))
          .as(answer)
          .isNotInstanceOfAny(Access.Granted.class, Access.Forbidden.class);
    }
  }

  @Test
  @DisplayName("denied outweighs allowed")
  void denied() throws Exception {
    DelegatedAccess denied =
        new DelegatedAccess(
            (path, review) ->
                path.equals(Reviews.TOKEN_REVIEWS)
                    ? review(path, review)
                    : done("{\"status\": {\"allowed\": true, \"denied\": true}}"),
            "/metrics",
            clock);
    assertThat(denied.check(GOOD, CLIENT)).isEqualTo(new Access.Forbidden(SCRAPER));
  }

  @Test
  @DisplayName("10,000 invalid tokens in a minute cause 35 reviews, and a valid one still works")
  void flood() throws Exception {
    assertThat(check(GOOD)).isInstanceOf(Access.Granted.class);
    asked.clear();
    int limited = 0;
    for (int i = 0; i < 10_000; i++) {
      if (check("wrong-" + i) instanceof Access.Limited) {
        limited++;
      }
      clock.advance(Duration.ofMillis(6));
    }
    assertThat(asked).hasSizeBetween(30, 36);
    assertThat(limited).isEqualTo(10_000 - asked.size());
    // Known before: neither the flood nor that its answer is too old keeps it out.
    clock.advance(Duration.ofMinutes(1));
    assertThat(check("wrong")).isInstanceOf(Access.Unauthenticated.class);
    assertThat(check(GOOD)).isInstanceOf(Access.Granted.class);
  }

  @Test
  @DisplayName("a flood from one address does not keep out a new token from another")
  void otherAddress() throws Exception {
    for (int i = 0; i < 1_000; i++) {
      check("wrong-" + i);
    }
    assertThat(check(GOOD)).isEqualTo(new Access.Limited());
    assertThat(access.check(GOOD, OTHER)).isInstanceOf(Access.Granted.class);
  }

  @Test
  @DisplayName("a flood from very many addresses: 20 reviews at once, then five a second")
  void manyAddresses() throws Exception {
    for (int i = 0; i < 5_000; i++) {
      access.check("wrong-" + i, InetAddress.ofLiteral("10.1." + i / 250 + "." + i % 250));
      clock.advance(Duration.ofMillis(1));
    }
    assertThat(asked.size()).isBetween(40, 46);
  }

  @Test
  @DisplayName("a repeated invalid token causes one review every ten seconds")
  void sameWrong() throws Exception {
    for (int i = 0; i < 300; i++) {
      assertThat(check("wrong")).isInstanceOf(Access.Unauthenticated.class);
      clock.advance(Duration.ofMillis(100));
    }
    assertThat(asked).hasSize(3);
  }

  @Test
  @DisplayName("two reviews of a kind run at once; others wait at most two seconds")
  void inFlight() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    AtomicInteger underWay = new AtomicInteger();
    DelegatedAccess slow =
        new DelegatedAccess(
            (_, _) -> {
              underWay.incrementAndGet();
              try {
                answer.await();
              } catch (InterruptedException stop) {
                Thread.currentThread().interrupt();
              }
              return new Unanswered("late");
            },
            "/metrics",
            clock);
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Access>> all = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        String token = "token-" + i;
        all.add(threads.submit(() -> slow.check(token, CLIENT)));
      }
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> all.stream().filter(DelegatedAccessTest::isLimited).count() == 3);
      assertThat(underWay).hasValue(2);
      answer.countDown();
    }
  }

  @Test
  @DisplayName("a token that became invalid counts as new")
  void noLongerKnown() throws Exception {
    assertThat(check(GOOD)).isInstanceOf(Access.Granted.class);
    known = false;
    clock.advance(Duration.ofMinutes(2));
    assertThat(check(GOOD)).isInstanceOf(Access.Unauthenticated.class);
    clock.advance(Duration.ofSeconds(10));
    for (int i = 0; i < 100; i++) {
      check("wrong-" + i);
    }
    assertThat(check(GOOD)).isEqualTo(new Access.Limited());
  }

  @Test
  @DisplayName("hanging reviews of new tokens do not delay reviews of known tokens")
  void knownGoesPast() throws Exception {
    CountDownLatch answer = new CountDownLatch(1);
    DelegatedAccess slow =
        new DelegatedAccess(
            (path, review) -> {
              if (review.at("/spec/token").asText().startsWith("hangs")) {
                try {
                  answer.await();
                } catch (InterruptedException stop) {
                  Thread.currentThread().interrupt();
                }
              }
              return review(path, review);
            },
            "/metrics",
            clock);
    assertThat(slow.check(GOOD, CLIENT)).isInstanceOf(Access.Granted.class);
    clock.advance(Duration.ofMinutes(6)); // so that both questions are asked again
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      List<Future<Access>> hanging = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String token = "hangs-" + i;
        hanging.add(threads.submit(() -> slow.check(token, CLIENT)));
      }
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> hanging.stream().filter(DelegatedAccessTest::isLimited).count() == 2);
      assertThat(slow.check(GOOD, CLIENT)).isInstanceOf(Access.Granted.class);
      answer.countDown();
    }
  }

  private static boolean isLimited(Future<Access> access) {
    return access.isDone() && access.resultNow() instanceof Access.Limited;
  }
}
