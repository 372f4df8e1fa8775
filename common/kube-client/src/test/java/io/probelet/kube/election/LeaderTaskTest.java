package io.probelet.kube.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.SystemClock;
import io.probelet.kube.FakeApiServer;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class LeaderTaskTest {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  /** The work of a leader. */
  private static final class Work implements AutoCloseable {
    private volatile boolean closed;

    @Override
    public void close() {
      closed = true;
    }
  }

  @Test
  @DisplayName("N-1 the work is available while leadership lasts, and closed with it")
  void term() throws Exception {
    try (FakeApiServer server = new FakeApiServer(SystemClock.INSTANCE);
        KubernetesClient client = server.client()) {
      LeaderTask<Work> led =
          new LeaderTask<>(
              client,
              "default",
              "leader",
              "a",
              LeaderElectionTest.QUICK,
              SystemClock.INSTANCE,
              new Random(1),
              _ -> new Work());
      await().atMost(TIMEOUT).until(() -> led.current().isPresent());
      Work work = led.current().orElseThrow();
      assertThat(led.leader().orElseThrow()).startsWith("a");
      assertThat(led.ask(asked -> CompletableFuture.completedFuture(asked), TIMEOUT))
          .containsSame(work);
      Optional<String> over =
          led.ask(
              _ -> {
                throw new RejectedExecutionException("the term ended meanwhile");
              },
              TIMEOUT);
      assertThat(over).isEmpty();
      assertThatThrownBy(() ->
              led.ask(_ -> CompletableFuture.failedFuture(new ArithmeticException("bug")), TIMEOUT))
          .isInstanceOf(IllegalStateException.class)
          .hasRootCauseMessage("bug");
      assertThatThrownBy(() -> led.ask(_ -> new CompletableFuture<String>(), Duration.ofMillis(1)))
          .isInstanceOf(TimeoutException.class);

      led.close();

      assertThat(work.closed).isTrue();
      assertThat(led.current()).isEmpty();
      assertThat(led.ask(_ -> CompletableFuture.completedFuture("answer"), TIMEOUT))
          .isEqualTo(Optional.empty());
    }
  }
}
