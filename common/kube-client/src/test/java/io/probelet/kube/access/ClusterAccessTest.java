package io.probelet.kube.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.probelet.health.Certificates;
import io.probelet.health.SystemClock;
import io.probelet.health.tls.MadeCertificate;
import io.probelet.kube.FakeApiServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rotation of the API server's and client's certificates while an agent runs. */
class ClusterAccessTest {
  private static final String[] SERVER = {"-ext", "san=ip:127.0.0.1"};

  @TempDir static Path authorities;
  private static Certificates old;
  private static Certificates next;

  @TempDir Path home;
  private FakeApiServer api;
  private TlsFront front;
  private ClusterAccess access;
  private List<Path> watched = List.of();
  private Runnable changed;

  @BeforeAll
  static void certificates() throws IOException {
    old =
        authority("old")
            .add("server", SERVER)
            .add("server2", SERVER)
            .add("first", "-keyalg", "RSA")
            .add("second", "-keyalg", "RSA");
    next = authority("next").add("server", SERVER);
  }

  private static Certificates authority(String name) throws IOException {
    return new Certificates(Files.createDirectory(authorities.resolve(name)));
  }

  @BeforeEach
  void start() throws IOException {
    api = new FakeApiServer();
    front = new TlsFront(api.url(), old.server("server"));
    Files.copy(old.certificate("ca"), home.resolve("ca.crt"));
  }

  @AfterEach
  void stop() throws IOException {
    access.close();
    assertThat(watched).isEmpty();
    front.close();
    api.close();
  }

  /** Connects with a kubeconfig with additional cluster and user fields. */
  private void connect(String cluster, String user) throws IOException {
    Path kubeconfig = home.resolve("kubeconfig");
    Files.writeString(kubeconfig, kubeconfig(cluster, user));
    access = new ClusterAccess(kubeconfig, SystemClock.INSTANCE);
    access.follow((files, whenChanged) -> {
      watched = files;
      changed = whenChanged;
      return () -> watched = List.of();
    });
  }

  private String kubeconfig(String cluster, String user) {
    return """
    apiVersion: v1
    kind: Config
    clusters: [{name: c, cluster: {server: "%s", %s}}]
    users: [{name: u, user: {%s}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    current-context: x
    """
        .formatted(front.url(), cluster, user);
  }

  private void replace(Path file, Path with) throws IOException {
    Path next = Files.copy(with, home.resolve("replacing"));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    assertThat(watched).contains(file);
    changed.run();
  }

  private static int ask(HttpClient client, String url) throws Exception {
    HttpResponse<String> answer =
        client
            .sendAsync(
                client.newHttpRequestBuilder().uri(url + "/api/v1/pods").build(), String.class)
            .get(30, TimeUnit.SECONDS);
    return answer.code();
  }

  private int ask() throws Exception {
    return ask(access.client().getHttpClient(), front.url());
  }

  private static ConditionFactory patiently() {
    return await().timeout(Duration.ofSeconds(60)).ignoreExceptions();
  }

  @Test
  @DisplayName("another certificate of the same authority is accepted")
  void sameAuthority() throws Exception {
    connect("certificate-authority: ca.crt", "token: t");
    patiently().until(() -> ask() == 200);
    front.present(old.server("server2"));
    patiently().until(() -> ask() == 200);
  }

  @Test
  @DisplayName(
      "a certificate of another authority is accepted once the authority's file has " + "changed")
  void otherAuthority() throws Exception {
    connect("certificate-authority: ca.crt", "token: t");
    HttpClient derived =
        access.client().getHttpClient().newBuilder().tag("made before the change").build();
    patiently().until(() -> ask(derived, front.url()) == 200);
    front.present(next.server("server"));
    patiently()
        .untilAsserted(() ->
            assertThatThrownBy(this::ask)
                .isInstanceOf(ExecutionException.class)
                .hasStackTraceContaining("x509: certificate signed by unknown authority"));
    replace(home.resolve("ca.crt"), next.certificate("ca"));
    patiently().until(() -> ask() == 200);
    patiently().until(() -> ask(derived, front.url()) == 200);
  }

  @Test
  @DisplayName("TLS-1 an expired authority of the API server is rejected, also for watches")
  void expiredAuthority() throws Exception {
    MadeCertificate root = MadeCertificate.authority("root").expired().selfSigned();
    MadeCertificate server =
        MadeCertificate.server("ip:7f000001")
            .valid("2020-01-01T00:00:00Z", "2120-01-01T00:00:00Z")
            .by(root);
    Files.writeString(home.resolve("expired.crt"), root.pem());
    connect("certificate-authority: expired.crt", "token: t");
    front.present(server.serving());
    patiently()
        .untilAsserted(() ->
            assertThatThrownBy(this::ask)
                .isInstanceOf(ExecutionException.class)
                .hasStackTraceContaining("x509: certificate has expired or is not yet valid"));
    HttpClient client = access.client().getHttpClient();
    assertThatThrownBy(() ->
            client
                .consumeBytes(
                    client
                        .newHttpRequestBuilder()
                        .uri(front.url() + "/api/v1/pods?watch=1")
                        .forStreaming()
                        .build(),
                    (value, body) -> body.cancel())
                .get(30, TimeUnit.SECONDS))
        .hasStackTraceContaining("x509: certificate has expired or is not yet valid");
  }

  @Test
  @DisplayName("an authority embedded in the kubeconfig is reloaded too")
  void inTheKubeconfig() throws Exception {
    connect(inline(old), "token: t");
    patiently().until(() -> ask() == 200);
    front.present(next.server("server"));
    Path changed = home.resolve("changed");
    Files.writeString(changed, kubeconfig(inline(next), "token: t"));
    replace(home.resolve("kubeconfig"), changed);
    patiently().until(() -> ask() == 200);
  }

  private static String inline(Certificates authority) throws IOException {
    return "certificate-authority-data: "
        + Base64.getEncoder().encodeToString(Files.readAllBytes(authority.certificate("ca")));
  }

  @Test
  @DisplayName("a new client certificate is used immediately, even with an open connection")
  void clientCertificate() throws Exception {
    Files.copy(old.certificate("first"), home.resolve("client.crt"));
    Files.copy(old.key("first"), home.resolve("client.key"));
    connect(
        "certificate-authority: ca.crt", "client-certificate: client.crt, client-key: client.key");
    patiently().until(() -> ask() == 200);
    assertThat(front.clients()).containsOnly("CN=first");
    replace(home.resolve("client.key"), old.key("second"));
    replace(home.resolve("client.crt"), old.certificate("second"));
    patiently().until(() -> ask() == 200 && front.clients().getLast().equals("CN=second"));
  }
}
