package io.probelet.web.scrape;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.MeterRegistry;
import io.probelet.health.TimeSource;
import io.probelet.kube.ApiServer;
import io.probelet.kube.certificate.CertificateFolder;
import io.probelet.kube.certificate.ServingCertificate;
import io.probelet.kube.delegated.DelegatedAccess;
import io.probelet.web.http.HttpEndpoint;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.http.Resource;
import io.probelet.web.part.Part;
import io.probelet.web.tls.CertifiedServer;
import io.probelet.web.tls.HttpsServer;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/** Serves the metrics over TLS from when there is a certificate, never without. */
public final class ScrapePart implements Part {
  /** The only path that is answered. */
  static final String PATH = "/metrics";

  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final CertifiedServer server;

  private ScrapePart(CertifiedServer server) {
    this.server = server;
  }

  /**
   * Begins to serve metrics to authorized clients, if configured.
   *
   * @param settings whether, and how
   * @param client reaches the API server, which says who may; the author's to close
   * @param registry where requests are counted
   * @return the part; empty if it is not wanted
   */
  public static Optional<ScrapePart> start(
      ScrapeSettings settings,
      Resource metrics,
      KubernetesClient client,
      MeterRegistry registry,
      TimeSource time) {
    return settings
        .listen()
        .map(address -> {
          DelegatedAccess access =
              new DelegatedAccess(
                  ApiServer.of(client, TIMEOUT, time.threads())::create, PATH, time);
          GuardedMetrics guarded = new GuardedMetrics(metrics, access, registry, time);
          return new ScrapePart(
              CertifiedServer.start(
                  "metrics",
                  CertificateFolder.ofFiles(settings.certificates(), time),
                  address.toString(),
                  certificate -> server(address, certificate, guarded, time)));
        });
  }

  /** Opens the listener. */
  static HttpsServer server(
      ListenAddress address,
      ServingCertificate certificate,
      GuardedMetrics guarded,
      TimeSource time)
      throws IOException {
    return HttpsServer.open(
        certificate,
        (loop, keys) -> HttpEndpoint.ofScrapes(address, loop, keys, PATH, guarded, time));
  }

  @Override
  public String name() {
    return "metrics";
  }

  /** {@inheritDoc} Without a certificate the agent still probes. */
  @Override
  public String note() {
    return server.state();
  }

  @Override
  public void close() {
    server.close();
  }
}
