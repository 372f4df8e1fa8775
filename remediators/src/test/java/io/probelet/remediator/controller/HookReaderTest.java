package io.probelet.remediator.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.probelet.health.Certificates;
import io.probelet.health.tls.MadeCertificate;
import io.probelet.kube.ApiServer;
import io.probelet.kube.FakeApiServer;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.remediator.decide.HookAnswer;
import io.probelet.remediator.decide.HookAnswer.Answered;
import io.probelet.remediator.decide.HookAnswer.NotAnswered;
import io.probelet.remediator.decide.HookAnswer.NotAsked;
import io.probelet.remediator.decide.ObservedHook;
import io.probelet.remediator.decide.ObservedHook.OfEndpoint;
import io.probelet.remediator.decide.ObservedHook.OfJob;
import io.probelet.remediator.decide.ObservedHook.State;
import io.probelet.remediator.decide.ObservedNode;
import io.probelet.remediator.resource.HookSpec;
import io.probelet.remediator.resource.HttpsHook;
import io.probelet.remediator.resource.HttpsHook.SecretKeyRef;
import io.probelet.remediator.resource.Milestone;
import io.probelet.remediator.resource.RemediationKind;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.remediator.resource.RemediationProgress;
import io.probelet.remediator.resource.RemediationRequest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls over TLS to an endpoint on the loopback, and Jobs of a pretended API server. */
final class HookReaderTest {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");
  private static final String PATH = "/off";

  @TempDir static Path directory;
  private static Certificates certificates;

  private final FakeApiServer server = new FakeApiServer();
  private final KubernetesClient client = server.client();
  private final ApiServer api = ApiServer.of(client, Duration.ofSeconds(5));
  private final List<HttpExchange> calls = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private HttpsServer endpoint;
  private int code = 200;
  private String answer = "{\"done\": true}";
  private @Nullable String contentType;
  private boolean silent;

  HookReaderTest() throws IOException {}

  @BeforeAll
  static void certificates() {
    certificates = new Certificates(directory).add("bmc", "-ext", "san=ip:127.0.0.1");
  }

  @BeforeEach
  void open() throws IOException {
    open(certificates.server("bmc"));
  }

  private void open(SSLContext serving) throws IOException {
    endpoint = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    endpoint.setHttpsConfigurator(new HttpsConfigurator(serving));
    endpoint.createContext("/", this::answer);
    endpoint.start();
  }

  private void answer(HttpExchange call) throws IOException {
    calls.add(call);
    bodies.add(new String(call.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    if (silent) {
      try {
        end.await();
      } catch (InterruptedException over) {
        Thread.currentThread().interrupt();
      }
    }
    call.getResponseHeaders().add("Location", "https://127.0.0.1:" + port() + "/elsewhere");
    if (contentType != null) {
      call.getResponseHeaders().add("Content-Type", contentType);
    }
    byte[] bytes = answer.getBytes(StandardCharsets.UTF_8);
    call.sendResponseHeaders(code, bytes.length);
    call.getResponseBody().write(bytes);
    call.close();
  }

  @AfterEach
  void close() {
    end.countDown();
    endpoint.stop(0);
    client.close();
    server.close();
  }

  private int port() {
    return endpoint.getAddress().getPort();
  }

  private HttpsHook hook(@Nullable SecretKeyRef secret, X509Certificate... authorities) {
    return new HttpsHook(
        URI.create("https://127.0.0.1:" + port() + PATH),
        List.of(authorities),
        secret,
        Duration.ofSeconds(silent ? 1 : 20),
        Duration.ofMinutes(5));
  }

  private static X509Certificate authority() {
    return certificates.chain("bmc")[1];
  }

  private static RemediationRequest<HookSpec> remediation(
      HookSpec.Target target, Milestone milestone, boolean deleting) {
    return new RemediationRequest<>(
        RemediationKind.HOOK,
        new ObjectRef(RemediationKind.API_VERSION, "HookRemediation", "fencing", "worker-1"),
        "uid-r",
        "1",
        NOW,
        "worker-1",
        new HookSpec(target, Duration.ofMinutes(30)),
        RemediationProgress.NONE
            .begun(RemediationPhase.EVIDENCE, "worker-1", "b00t-1", "", NOW)
            .in(RemediationPhase.WAITING, "call 1 to a", NOW)
            .with(milestone),
        deleting,
        List.of(),
        Map.of());
  }

  private static ObservedNode node() {
    return new ObservedNode(
        "worker-1",
        "u",
        "5",
        "b00t-1",
        false,
        Map.of("Ready", "Unknown"),
        List.of(),
        Map.of(),
        Map.of());
  }

  private HookAnswer call(HttpsHook hook) {
    return call(hook, Milestone.calling(1), false);
  }

  private HookAnswer call(HttpsHook hook, Milestone milestone, boolean deleting) {
    try {
      ObservedHook observed =
          new HookReader(HookEndpoint.HTTPS)
              .read(
                  api,
                  remediation(new HookSpec.Target.Endpoint(hook), milestone, deleting),
                  node());
      return ((OfEndpoint) observed).answer();
    } catch (UnreadableException e) {
      throw new AssertionError(e);
    }
  }

  private void secret(String value) {
    server.serve("v1", "Secret");
    server.put(
        """
        apiVersion: v1
        kind: Secret
        metadata: {name: bmc, namespace: fencing}
        data: {hmac: %s}
        """
            .formatted(value));
  }

  @Test
  @DisplayName("ACT-55 TLS-1 an expired authority or a wrong name is refused, and nothing is sent")
  void refusesExpiredAuthority() throws IOException {
    MadeCertificate good = longLived("ip:7f000001").selfSigned();
    endpoint.stop(0);
    open(good.serving());
    assertThat(call(hook(null, good.certificate()))).isInstanceOf(HookAnswer.Answered.class);
    calls.clear();
    MadeCertificate root = MadeCertificate.authority("root").expired().selfSigned();
    MadeCertificate server = longLived("ip:7f000001").by(root);
    endpoint.stop(0);
    open(server.serving());
    assertThat(call(hook(null, root.certificate())))
        .isInstanceOfSatisfying(
            HookAnswer.NotAnswered.class,
            refused ->
                assertThat(refused.toString())
                    .contains(
                        "tls: failed to verify certificate: x509: certificate has expired or is"
                            + " not yet valid: current time "));
    MadeCertificate other = longLived("ip:7f000002").selfSigned();
    endpoint.stop(0);
    open(other.serving());
    assertThat(call(hook(null, other.certificate())).toString())
        .contains("x509: certificate is valid for 127.0.0.2, not 127.0.0.1");
    assertThat(calls).isEmpty();
  }

  /** The hook's clock is the machine's. */
  private static MadeCertificate longLived(String name) {
    return MadeCertificate.server(name).valid("2020-01-01T00:00:00Z", "2120-01-01T00:00:00Z");
  }

  @Test
  @DisplayName("ACT-55 signed over time and text, with a key that is the same for each call")
  void signed() throws Exception {
    secret("c2VjcmV0"); // secret
    assertThat(call(hook(new SecretKeyRef("bmc", "hmac"), authority())))
        .isEqualTo(new Answered(200, new ObjectMapper().readTree(answer)));
    HttpExchange call = calls.getFirst();
    String body = bodies.getFirst();
    assertThat(call.getRequestMethod()).isEqualTo("POST");
    assertThat(call.getRequestURI()).hasToString(PATH);
    assertThat(call.getRequestHeaders().getFirst("Idempotency-Key")).isEqualTo("uid-r");
    String time = call.getRequestHeaders().getFirst("Probelet-Timestamp");
    assertThat(time).isEqualTo(String.valueOf(NOW.getEpochSecond()));
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec("secret".getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
    assertThat(call.getRequestHeaders().getFirst("Probelet-Signature"))
        .isEqualTo(
            "v1="
                + HexFormat.of()
                    .formatHex(mac.doFinal((time + "." + body).getBytes(StandardCharsets.UTF_8))));
    assertThat(new ObjectMapper().readTree(body))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"node": "worker-1", "bootID": "b00t-1", "reason": "Ready=Unknown",
                     "remediation": {"kind": "HookRemediation", "namespace": "fencing",
                       "name": "worker-1", "uid": "uid-r"}}
                    """));
  }

  @Test
  @DisplayName("ACT-55 without its key nothing is called")
  void noKey() {
    server.serve("v1", "Secret");
    assertThat(call(hook(new SecretKeyRef("bmc", "hmac"), authority())).toString())
        .contains("the Secret bmc cannot be read");
    secret("''");
    assertThat(call(hook(new SecretKeyRef("bmc", "hmac"), authority())).toString())
        .contains("the Secret bmc has no value hmac");
    secret("'%%%'");
    assertThat(call(hook(new SecretKeyRef("bmc", "hmac"), authority())).toString())
        .contains("the Secret bmc has no value hmac");
    assertThat(calls).isEmpty();
  }

  @Test
  @DisplayName("ACT-55 sends nothing to an endpoint with an untrusted certificate")
  void unverified() {
    assertThat(call(hook(null))).isInstanceOf(NotAnswered.class);
    assertThat(call(hook(null, certificates.chain("bmc")[0]))).isInstanceOf(Answered.class);
    assertThat(calls).hasSize(1);
  }

  @Test
  @DisplayName("ACT-55 redirects are not followed")
  void redirected() {
    code = 307;
    assertThat(call(hook(null, authority())))
        .isInstanceOfSatisfying(
            Answered.class, answered -> assertThat(answered.code()).isEqualTo(307));
    assertThat(calls).hasSize(1);
  }

  @Test
  @DisplayName("ACT-55 an answer of more than 64 KiB is none")
  void tooLong() {
    answer = " ".repeat(HookCaller.MAX_ANSWER);
    assertThat(call(hook(null, authority()))).isInstanceOf(Answered.class);
    answer = " ".repeat(HookCaller.MAX_ANSWER + 1);
    assertThat(call(hook(null, authority()))).isInstanceOf(NotAnswered.class);
  }

  @Test
  @DisplayName("ACT-55 who says nothing in time has not answered; what is no JSON is no word")
  void silence() {
    answer = "done";
    assertThat(call(hook(null, authority())))
        .isInstanceOfSatisfying(
            Answered.class, answered -> assertThat(answered.body().isMissingNode()).isTrue());
    silent = true;
    assertThat(call(hook(null, authority())))
        .isEqualTo(new NotAnswered("no answer within 1000 ms"));
  }

  @ParameterizedTest
  @MethodSource
  @DisplayName("ACT-56 an answer that cannot be read is a failed call, and its text is not quoted")
  void unreadable(@Nullable String type, String text) {
    contentType = type;
    answer = text;

    assertThat(call(hook(null, authority())))
        .isInstanceOfSatisfying(
            NotAnswered.class,
            failed ->
                assertThat(failed.why())
                    .startsWith("responded 200, but the body is not valid JSON")
                    .doesNotContain("QUOTED"));
  }

  static Stream<Arguments> unreadable() {
    return Stream.of(
        arguments("application/json", "QUOTED"),
        arguments("application/problem+json; charset=utf-8", "QUOTED"),
        arguments("text/html", "<html>QUOTED</html>"),
        arguments(null, "<html>QUOTED</html>"),
        arguments("text/plain", "{\"done\": false, QUOTED"),
        arguments(null, "{\"done\": false} QUOTED"),
        arguments(null, "{\"done\": true, \"done\": false}"),
        arguments(null, "{\"done\": false, \"a\": " + "[".repeat(1100) + "]".repeat(1100) + "}"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"{\"done\": false}", "\uFEFF{\"done\": false}", " \r\n{\"done\": false}\n"})
  @DisplayName("ACT-56 a byte order mark before an answer is ignored")
  void byteOrderMark(String text) {
    answer = text;

    assertThat(call(hook(null, authority())))
        .isInstanceOfSatisfying(
            Answered.class,
            answered -> assertThat(answered.body().path("done").isBoolean()).isTrue());
  }

  @Test
  @DisplayName("ACT-55 the body of a refusal is not read")
  void refusalWithoutJson() {
    code = 503;
    contentType = "application/json";
    answer = "not JSON";

    assertThat(call(hook(null, authority())))
        .isInstanceOfSatisfying(
            Answered.class, answered -> assertThat(answered.code()).isEqualTo(503));
  }

  @Test
  @DisplayName("ACT-55 makes only the call that the status has recorded")
  void notDue() {
    HttpsHook hook = hook(null, authority());
    for (Milestone other :
        List.of(Milestone.NONE, Milestone.called(1), Milestone.of(Milestone.Reached.JOB_STARTED))) {
      assertThat(call(hook, other, false)).as("%s", other).isEqualTo(new NotAsked());
    }
    assertThat(call(hook, Milestone.calling(1), true)).isEqualTo(new NotAsked());
    assertThat(calls).isEmpty();
  }

  @Test
  @DisplayName("ACT-57 the Job of the remediation, by its name")
  void job() throws Exception {
    server.serve("batch/v1", "Job");
    RemediationRequest<HookSpec> remediation =
        remediation(
            new HookSpec.Target.Job(new ObjectMapper().createObjectNode()), Milestone.NONE, false);
    assertThat(new HookReader(HookEndpoint.HTTPS).read(api, remediation, node()))
        .isEqualTo(new OfJob(State.MISSING, ""));
    server.put(
        """
        apiVersion: batch/v1
        kind: Job
        metadata:
          name: probelet-hook-uid-r
          namespace: fencing
          ownerReferences: [{uid: uid-r}]
        status: {conditions: [{type: Complete, status: "True"}]}
        """);
    assertThat(new HookReader(HookEndpoint.HTTPS).read(api, remediation, node()))
        .isEqualTo(new OfJob(State.COMPLETE, ""));
  }
}
