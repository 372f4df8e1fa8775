package io.probelet.agent.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.probelet.manifest.policy.ProbeAgent;
import io.probelet.probe.ContainerSpec;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.service.ProbeService;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class UserAgentTest {
  @Test
  @DisplayName("H-2 kube-probe with the cluster's version unless our own name is chosen")
  void names() {
    UserAgent agent = new UserAgent("2.1");
    assertThat(agent.get()).isEqualTo("kube-probe/1.36");
    agent.kubernetes("1.34");
    assertThat(agent.get()).isEqualTo("kube-probe/1.34");
    agent.use(ProbeAgent.PROBELET);
    agent.kubernetes("1.35");
    assertThat(agent.get()).isEqualTo("probelet/2.1");
    agent.use(ProbeAgent.KUBE_PROBE);
    assertThat(agent.get()).isEqualTo("kube-probe/1.35");
  }

  @Test
  @DisplayName("H-2 a server that admits kube-probe only answers 200, and 403 to our own name")
  void admitted() throws Exception {
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          String agent = String.valueOf(exchange.getRequestHeaders().getFirst("User-Agent"));
          exchange.sendResponseHeaders(agent.startsWith("kube-probe/1.") ? 200 : 403, -1);
          exchange.close();
        });
    server.start();
    UserAgent name = new UserAgent("2.1");
    try (ProbeService service = ProbeService.builder().userAgent(name).start()) {
      assertThat(probe(service, server).verdict().healthy()).isTrue();
      name.use(ProbeAgent.PROBELET);
      assertThat(probe(service, server).verdict().text())
          .isEqualTo("HTTP probe failed with statuscode: 403");
    } finally {
      server.stop(0);
    }
  }

  private static ProbeOutcome probe(ProbeService service, HttpServer server) throws Exception {
    HttpGet get =
        new HttpGet(
            new Port.Numeric(server.getAddress().getPort()),
            null,
            "/",
            Scheme.HTTP,
            List.of(),
            TlsOptions.INSECURE,
            HttpExpectation.KUBELET);
    ContainerSpec container =
        new ContainerSpec("web", false, null, List.of(), Map.of(), Map.of(), Map.of());
    CompletableFuture<ProbeOutcome> outcome = new CompletableFuture<>();
    service.probe(
        get,
        new ProbeTarget(new PodRef("shop", "web", "u"), container, "id", "127.0.0.1"),
        Duration.ofMinutes(1),
        outcome::complete);
    return outcome.get(2, TimeUnit.MINUTES);
  }
}
