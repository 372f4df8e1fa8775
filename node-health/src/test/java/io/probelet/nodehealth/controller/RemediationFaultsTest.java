package io.probelet.nodehealth.controller;

import static com.github.tomakehurst.wiremock.client.WireMock.aResponse;
import static com.github.tomakehurst.wiremock.client.WireMock.request;
import static com.github.tomakehurst.wiremock.client.WireMock.urlPathMatching;
import static org.assertj.core.api.Assertions.assertThat;

import com.github.tomakehurst.wiremock.client.ResponseDefinitionBuilder;
import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.stubbing.Scenario;
import io.probelet.kube.election.ElectionTiming;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every write fails the first time it is tried, in one of the ways in which a write can fail. */
@Timeout(300)
class RemediationFaultsTest {
  private static final String REBOOT = "RebootRemediation";

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
        return aResponse().proxiedFrom(url).withFixedDelay(2000);
      }
    };

    abstract ResponseDefinitionBuilder answer(String url);
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("NHC-24, N-3 each write fails once: the end is the same, and nothing is doubled")
  void sameEnd(Trouble trouble) throws IOException {
    ElectionTiming timing =
        new ElectionTiming(Duration.ofSeconds(3), Duration.ofSeconds(2), Duration.ofMillis(500));
    try (ControllerRun run = new ControllerRun(timing)) {
      fail(run, "POST", ".*/leases", trouble);
      fail(run, "POST", ".*/events", trouble);
      fail(run, "POST", ".*/rebootremediations", trouble);
      fail(run, "PATCH", ".*/nodehealthchecks/nhc/status", trouble);
      fail(run, "DELETE", ".*/rebootremediations/n1", trouble);
      fail(run, "DELETE", ".*/leases/node-n1", trouble);
      run.api.serve("example.io/v1", REBOOT, REBOOT + "Template");
      RemediationCluster cluster = run.cluster;
      cluster.template(REBOOT + "Template", "reboot");
      cluster.addNode("n1");
      cluster.check("nhc", RemediationCluster.template(REBOOT + "Template"));
      run.start();
      cluster.ready("n1", "False");
      cluster.pass(Duration.ofSeconds(62));
      cluster
          .await()
          .atMost(Duration.ofMinutes(2))
          .until(() -> cluster.phase("nhc"), "Remediating"::equals);
      assertThat(cluster.remediations(REBOOT)).hasSize(1);
      assertThat(cluster.lease("n1").isMissingNode()).isFalse();

      cluster.ready("n1", "True");
      cluster
          .await()
          .atMost(Duration.ofMinutes(2))
          .until(() ->
              cluster.remediations(REBOOT).isEmpty()
                  && cluster.lease("n1").isMissingNode()
                  && cluster.phase("nhc").equals("Enabled"));
      assertThat(cluster.unhealthy("nhc")).isZero();
      cluster
          .await()
          .atMost(Duration.ofMinutes(2))
          .untilAsserted(() ->
              assertThat(cluster.events())
                  .as("no event is lost, and none is doubled")
                  .containsOnlyOnce("RemediationCreated")
                  .containsOnlyOnce("RemediationRemoved")
                  .containsOnlyOnce("DetectedUnhealthy"));
      assertThat(run.front.getAllScenarios().getScenarios())
          .allMatch(scenario -> scenario.getState().equals("over"));
    }
  }

  private static void fail(ControllerRun run, String method, String path, Trouble trouble) {
    run.front.stubFor(
        request(method, urlPathMatching(path))
            .atPriority(1)
            .inScenario(method + path)
            .whenScenarioStateIs(Scenario.STARTED)
            .willSetStateTo("over")
            .willReturn(trouble.answer(run.api.url())));
  }
}
