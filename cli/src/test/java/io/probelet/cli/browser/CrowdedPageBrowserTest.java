package io.probelet.cli.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.run.Endpoints;
import io.probelet.agent.run.FakeRuntime;
import io.probelet.health.SystemClock;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.ProbeSpec;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.ContainerObservation;
import io.probelet.probe.runtime.PodObservation;
import io.probelet.probe.runtime.PodObservation.Phase;
import io.probelet.probe.service.ProbeService;
import io.probelet.web.http.HttpServers;
import io.probelet.web.http.ListenAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

/** The page of a node with as many containers as a node may have, of a real engine. */
@EnabledIf(
    value = "io.probelet.cli.browser.Chromium#isInstalled",
    disabledReason = "chromium is not installed: no page is tried in a browser")
@ExtendWith(BrowserExtension.class)
class CrowdedPageBrowserTest {
  private static final int CONTAINERS = 500;

  /** No measurement: only a page that grows with the square of the containers takes longer. */
  private static final int MAX_PAINT_MS = 30_000;

  private final FakeRuntime runtime = new FakeRuntime();
  private ProbeService service;
  private Endpoints endpoints;

  @BeforeEach
  void start() throws Exception {
    SystemClock time = SystemClock.INSTANCE;
    service = ProbeService.builder().runtime(runtime).start();
    endpoints =
        Endpoints.open(
            service,
            HttpServers.start(time),
            new ListenAddress("127.0.0.1", 0),
            Set::of,
            Optional.empty(),
            time);
    runtime.breaks("id-499");
    for (int i = 0; i < CONTAINERS; i++) {
      PodRef pod = new PodRef("shop", "web-%03d".formatted(i), "uid-" + i);
      service.engine().add(pod(pod));
      ContainerObservation running = ContainerObservation.running("id-" + i, time.wallTime(), 0);
      service
          .engine()
          .observed(
              new PodObservation(
                  pod, Phase.RUNNING, false, false, List.of("127.0.0.1"), Map.of("app", running)));
    }
  }

  @AfterEach
  void stop() {
    endpoints.close();
    service.close();
  }

  @Test
  @DisplayName("500 containers are painted at once, the one that is not well first")
  void crowd(BrowserTab tab) {
    URI page = URI.create("http://" + endpoints.address() + "/");
    tab.load(page);
    tab.until("document.querySelector('article.container').id === 'c-shop/web-499/app'");
    tab.until("document.querySelectorAll('article.container').length === " + CONTAINERS);

    tab.until("performance.getEntriesByName('first-contentful-paint').length");
    int paint =
        tab.eval("performance.getEntriesByName('first-contentful-paint')[0].startTime").asInt();
    System.out.println("first paint of " + CONTAINERS + " containers: " + paint + " ms");
    assertThat(paint).as("ms until something is painted").isLessThanOrEqualTo(MAX_PAINT_MS);
    assertThat(tab.complaints()).isEmpty();
  }

  private static ProbedPod pod(PodRef pod) {
    ProbeSpec probe = ProbeSpec.of(new ProbeHandler.Exec(List.of("check"))).build();
    return new ProbedPod(
        pod,
        RestartPolicy.ALWAYS,
        Duration.ofSeconds(30),
        List.of(
            new ContainerSpec(
                "app",
                false,
                null,
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(ProbeKind.READINESS, probe, ProbeKind.LIVENESS, probe))));
  }
}
