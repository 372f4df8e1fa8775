package io.probelet.controller.remediation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.probelet.health.Threads;
import io.probelet.kube.certificate.CertificateAuthority;
import io.probelet.kube.certificate.ServingCertificate;
import io.probelet.nodehealth.resource.RunningRemediations;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.webhook.AdmissionReviews;
import io.probelet.web.http.ListenAddress;
import io.probelet.web.tls.HttpsServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.KeyStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class WebhookServerTest {
  private static final String DELETE_RUNNING =
      """
      {"request": {"uid": "7", "operation": "DELETE", "oldObject": {"status": {"unhealthyNodes":
        [{"name": "n1", "remediations": [{}]}]}}}}
      """;

  private final ServingCertificate certificate = certificate();
  private HttpsServer server;

  @BeforeEach
  void open() throws IOException {
    server =
        WebhookServer.open(
            ListenAddress.parse("127.0.0.1:0"),
            WebhookServer.resources(
                new AdmissionReviews(TemplateKinds.UNKNOWN, RunningRemediations.UNKNOWN),
                Threads.MACHINE),
            certificate);
  }

  @AfterEach
  void close() {
    server.close();
  }

  @Test
  @DisplayName("NHC-21 denies deletion over verified TLS")
  void denied() throws Exception {
    HttpResponse<String> answer = post(trusting(certificate), DELETE_RUNNING);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body())
        .contains("\"allowed\":false", "prohibited due to running remediation", "\"uid\":\"7\"");
  }

  @Test
  @DisplayName("serves a renewed certificate without a restart")
  void renewed() throws Exception {
    ServingCertificate next = certificate();
    server.use(next);
    assertThat(post(trusting(next), DELETE_RUNNING).statusCode()).isEqualTo(200);
    assertThatThrownBy(() -> post(trusting(certificate), DELETE_RUNNING))
        .isInstanceOf(SSLHandshakeException.class);
  }

  @Test
  @DisplayName("D-21 adds the readiness gate on its own path")
  void gate() throws Exception {
    HttpClient client = trusting(certificate);
    String pod =
        """
        {"request": {"uid": "8", "operation": "CREATE", "kind": {"kind": "Pod"}, "object": {"spec": {},
          "metadata": {"annotations": {"probelet.io/probes": "web: {readiness: {}}"}}}}}
        """;
    HttpResponse<String> answer = post(client, pod, WebhookServer.GATE_PATH);
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.body()).contains("\"allowed\":true", "\"patchType\":\"JSONPatch\"");
    assertThat(post(client, pod).body()).doesNotContain("patch");
    assertThat(post(client, "{", WebhookServer.GATE_PATH).statusCode()).isEqualTo(400);
  }

  @Test
  void nonsenseIsRefused() throws Exception {
    HttpClient client = trusting(certificate);
    assertThat(post(client, "{").statusCode()).isEqualTo(400);
    // Begins like UTF-32 and breaks off within a character.
    assertThat(post(client, "\0\0\0\n+").statusCode()).isEqualTo(400);
  }

  private HttpResponse<String> post(HttpClient client, String body) throws Exception {
    return post(client, body, WebhookServer.PATH);
  }

  private HttpResponse<String> post(HttpClient client, String body, String path) throws Exception {
    URI uri = URI.create("https://localhost:" + server.port() + path);
    return client.send(
        HttpRequest.newBuilder(uri).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
        BodyHandlers.ofString());
  }

  private static ServingCertificate certificate() {
    Instant now = Instant.now();
    return CertificateAuthority.make("localhost", now, Duration.ofDays(1))
        .issue(List.of("localhost"), now, Duration.ofDays(1));
  }

  private static HttpClient trusting(ServingCertificate certificate) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    store.setCertificateEntry("webhook", certificate.chain().getFirst());
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, factory.getTrustManagers(), null);
    return HttpClient.newBuilder().sslContext(context).build();
  }
}
