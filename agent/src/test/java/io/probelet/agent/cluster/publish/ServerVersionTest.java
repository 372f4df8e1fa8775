package io.probelet.agent.cluster.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.health.Threads;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import java.time.Duration;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServerVersionTest {
  @Test
  @DisplayName("H-2 the API server is asked for its version at the start")
  void asks() throws Exception {
    AtomicReference<String> told = new AtomicReference<>();
    try (FakeApiServer server = new FakeApiServer();
        var client = server.client();
        ServerVersion _ =
            new ServerVersion(
                ApiServer.of(client, Duration.ofSeconds(30)),
                told::set,
                new Random(3),
                Threads.MACHINE)) {
      await().untilAsserted(() -> assertThat(told).hasValue("1.35"));
    }
  }

  @ParameterizedTest
  @CsvSource({"1,36,1.36", "1,27+,1.27", "'1\r\nX: y',36,", "1,,", "1,99999,", "1,36-gke,"})
  @DisplayName("H-2 what is no version is not repeated")
  void numbers(String major, String minor, String version) {
    JsonNode body = new ObjectMapper().createObjectNode().put("major", major).put("minor", minor);
    assertThat(ServerVersion.majorMinor(body)).isEqualTo(Optional.ofNullable(version));
  }
}
