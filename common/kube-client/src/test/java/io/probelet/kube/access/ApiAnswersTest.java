package io.probelet.kube.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.ManualClock;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ApiAnswersTest {
  private final ManualClock clock = new ManualClock(Instant.EPOCH);

  @Test
  @DisplayName("responses and missing responses to any sender are recorded")
  void followed(@TempDir Path directory) throws Exception {
    Path kubeconfig = directory.resolve("kubeconfig");
    try (FakeApiServer api = new FakeApiServer()) {
      Files.writeString(kubeconfig, api.kubeconfig());
      try (ClusterAccess access = new ClusterAccess(kubeconfig, clock)) {
        ApiAnswers answers = access.answers();
        assertThat(answers.isUp()).isFalse();
        clock.advance(Duration.ofSeconds(7));
        assertThat(answers.sinceAnswer()).isEqualTo(Duration.ofSeconds(7));
        ApiServer server = ApiServer.of(access.client(), Duration.ofSeconds(20));
        server.get("/api/v1/pods");
        assertThat(answers.isUp()).isTrue();
        assertThat(answers.sinceAnswer()).isZero();
        clock.advance(Duration.ofSeconds(3));
        api.faults().away(true);
        server.get("/api/v1/pods");
        assertThat(answers.isUp()).isFalse();
        assertThat(answers.sinceAnswer()).isEqualTo(Duration.ofSeconds(3));
      }
    }
  }

  @Test
  @DisplayName("a 5xx response does not count, any other does")
  void status() {
    ApiAnswers answers = new ApiAnswers(clock);
    answers.took(403);
    assertThat(answers.isUp()).isTrue();
    answers.took(503);
    assertThat(answers.isUp()).isFalse();
    answers.took(404);
    assertThat(answers.isUp()).isTrue();
    answers.took(null);
    assertThat(answers.isUp()).isFalse();
  }
}
