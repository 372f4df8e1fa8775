package io.probelet.nodehealth.controller;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.any;
import static com.github.tomakehurst.wiremock.client.WireMock.anyUrl;
import static com.github.tomakehurst.wiremock.client.WireMock.request;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.WireMockServer;
import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.core.WireMockConfiguration;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.probelet.kube.election.ElectionTiming;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every write fails the first time it is tried, in one of the ways in which a write can fail. */
@Timeout(300)
@EnableKubernetesMockClient(crud = true, https = false)
class RemediationFaultsTest {
  private static final String REBOOT = "RebootRemediation";
  private KubernetesClient client;
  private KubernetesMockServer server;
  private final WireMockServer faulty =
      new WireMockServer(WireMockConfiguration.options().dynamicPort());

  /** What comes instead of an answer. */
  enum Trouble {
    CONFLICT {
      @Override
      ResponseDefinitionBuilder answer(String url) {
        return aResponse().withStatus(409).withBody("{\"message\": \"conflict\"}");
      }
    },
    ERROR {
      @Override
      ResponseDefinitionBuilder answer(String url) {
        return aResponse().withStatus(500).withBody("oh");
      }
    },
    TOO_MANY_REQUESTS {
      @Override
      ResponseDefinitionBuilder answer(String url) {
        return aResponse().withStatus(429).withHeader("Retry-After", "1");
      }
    },
    RESET {
      @Override
      ResponseDefinitionBuilder answer(String url) {
        return aResponse().withFault(Fault.CONNECTION_RESET_BY_PEER);
      }
    },
    TIMEOUT_AFTER_THE_WRITE {
      @Override
      ResponseDefinitionBuilder answer(String url) {
        return aResponse().proxiedFrom(url).withFixedDelay(4000);
      }
    };

    abstract ResponseDefinitionBuilder answer(String url);
  }

  @BeforeEach
  void begin() {
    faulty.start();
  }

  @AfterEach
  void end() {
    faulty.stop();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("NHC-24, N-3 each write fails once: the end is the same, and nothing is doubled")
  void sameEnd(Trouble trouble) throws IOException {
    String url = "http://" + server.getHostName() + ":" + server.getPort();
    faulty.stubFor(any(anyUrl()).atPriority(10).willReturn(aResponse().proxiedFrom(url)));
    fail("POST", ".*/leases", trouble, url);
    fail("POST", ".*/events", trouble, url);
    fail("POST", ".*/rebootremediations", trouble, url);
    fail("PATCH", ".*/nodehealthchecks/nhc/status", trouble, url);
    fail("DELETE", ".*/rebootremediations/n1", trouble, url);
    fail("DELETE", ".*/leases/node-n1", trouble, url);
    server
        .expect()
        .get()
        .withPath("/apis/example.io/v1")
        .andReturn(200, Town.discovery(REBOOT, REBOOT + "Template"))
        .always();
    ElectionTiming timing =
        new ElectionTiming(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofMillis(500));
    try (ControllerRun run = new ControllerRun(client, url, faulty.baseUrl(), timing)) {
      Town town = run.town;
      town.template(REBOOT + "Template", "reboot");
      town.node("n1");
      town.check("nhc", Town.template(REBOOT + "Template"));
      run.start();
      town.ready("n1", "False");
      town.pass(Duration.ofSeconds(62));
      town.await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> town.phase("nhc"), "Remediating"::equals);
      assertThat(town.remediations(REBOOT)).hasSize(1);
      assertThat(town.lease("n1")).isNotNull();

      town.ready("n1", "True");
      town.await()
          .atMost(Duration.ofMinutes(2))
          .until(() ->
              town.remediations(REBOOT).isEmpty()
                  && town.lease("n1") == null
                  && town.phase("nhc").equals("Enabled"));
      assertThat(town.unhealthy("nhc")).isZero();
      town.await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() ->
              assertThat(town.events())
                  .as("no event is lost, and none is doubled")
                  .containsOnlyOnce("RemediationCreated")
                  .containsOnlyOnce("RemediationRemoved")
                  .containsOnlyOnce("DetectedUnhealthy"));
      assertThat(faulty.getAllScenarios().getScenarios())
          .allMatch(scenario -> scenario.getState().equals("over"));
    }
  }

  private void fail(String method, String path, Trouble trouble, String url) {
    faulty.stubFor(
        request(method, urlPathMatching(path))
            .atPriority(1)
            .inScenario(method + path)
            .whenScenarioStateIs(Scenario.STARTED)
            .willSetStateTo("over")
            .willReturn(trouble.answer(url)));
  }
}
