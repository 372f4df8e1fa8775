package io.probelet.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.agent.config.ConfigurationReading;
import io.probelet.manifest.pod.Mode;
import io.probelet.probe.CaCertificates;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeKind;
import io.probelet.probe.TlsOptions;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The administrator's secrets go where the administrator said, whatever stands beside them. */
class AnnotationProfileTest {
  private static final String FIELD = "metadata.annotations[probelet.io/probes].web.readiness.";

  private static final String POLICY =
      """
      policy:
        profiles:
        - name: mesh
          namespaces: [shop]
          tls: {caFile: /p/ca.pem, certFile: /p/cert.pem, keyFile: /p/key.pem}
        - name: token
          namespaces: ["sh*"]
          hosts: [vault.example.com, 10.1.0.0/16]
          tls: {serverName: vault.example.com}
          headers:
          - {name: Authorization, valueFile: /p/token, prefix: "Bearer "}
        - name: plain
          namespaces: [shop]
          hosts: [pod, vault.example.com]
          headers: [{name: X-Probe, value: "yes"}]
        - name: others
          namespaces: [other]
          headers: [{name: X-Probe, value: "yes"}]
      """;

  private static Reading read(String readiness) {
    return Reading.of(
        Reading.pod("livenessProbe: {httpGet: {port: 443, scheme: HTTPS, host: evil.org}}")
            .replace("spec:", "spec:\n  readinessGates: [{conditionType: probelet.io/ready}]")
            .replace(
                "metadata: {name: test}",
                "metadata:\n  name: test\n  namespace: shop\n  annotations:\n"
                    + "    probelet.io/probes: |\n"
                    + ("web: {readiness: " + readiness + "}").indent(6).stripTrailing()),
        Mode.PROBES_ONLY,
        ConfigurationReading.of(POLICY).podRules());
  }

  private static HttpGet http(String readiness) {
    return (HttpGet) read(readiness).probe(ProbeKind.READINESS).handler();
  }

  @Test
  @DisplayName("headers and trust of a profile are those of the handler it stands beside")
  void applied() {
    TlsOptions mesh =
        new TlsOptions(
            true,
            new CaCertificates.InFile(Path.of("/p/ca.pem")),
            null,
            Path.of("/p/cert.pem"),
            Path.of("/p/key.pem"));
    assertThat(http("{httpGet: {port: 443, scheme: HTTPS}, profile: mesh}").tls()).isEqualTo(mesh);
    assertThat(read("{grpc: {port: 443}, profile: mesh}").probe(ProbeKind.READINESS).handler())
        .isEqualTo(new Grpc(443, "", mesh));
    assertThat(
            http("{httpGet: {port: 443, scheme: HTTPS}, profile: mesh, tls: {serverName: a.test}}")
                .tls()
                .serverName())
        .isEqualTo("a.test");
    HttpGet vault =
        http(
            "{httpGet: {port: 443, scheme: HTTPS, host: vault.example.com, httpHeaders: [{name: A,"
                + " value: b}]}, profile: token}");
    assertThat(vault.headers())
        .containsExactly(
            new HttpHeader("A", "b"),
            new HttpHeader(
                "Authorization", new HttpHeader.FromFile("Bearer ", Path.of("/p/token"))));
    assertThat(vault.tls().serverName()).isEqualTo("vault.example.com");
    assertThat(http("{httpGet: {port: 80}, profile: plain}").headers()).hasSize(1);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{httpGet: {port: 80}, profile: others}   | profile: Invalid value: \"others\": no"
            + " such profile is configured for this namespace (policy.profiles)",
        "{httpGet: {port: 443, scheme: HTTPS}, profile: token}  | profile: Forbidden: the"
            + " profile does not allow the pod's own address",
        "{httpGet: {port: 443, scheme: HTTPS, host: 10.2.0.1}, profile: token} | profile:"
            + " Forbidden: the profile does not allow the handler's host",
        "{httpGet: {port: 443, scheme: HTTPS, host: vault.example.com.evil.org}, profile:"
            + " token} | profile: Forbidden: the profile does not allow the handler's host",
        "{httpGet: {port: 443, host: vault.example.com}, profile: token} | profile: Forbidden: the profile has TLS settings; the httpGet needs scheme HTTPS",
        "{httpGet: {port: 443, scheme: HTTPS, host: vault.example.com}, profile: token, tls:"
            + " {verify: false}} | tls: Forbidden: the profile defines the TLS settings; only"
            + " serverName is allowed in addition, for the pod's own address",
        "{httpGet: {port: 443, scheme: HTTPS, host: vault.example.com}, profile: token, tls:"
            + " {serverName: evil.org}} | tls: Forbidden: the profile defines the TLS settings;"
            + " only serverName is allowed in addition, for the pod's own address",
        "{httpGet: {port: 443, scheme: HTTPS}, profile: mesh, tls: {verify: false}} | tls:"
            + " Forbidden: the profile defines the TLS settings; only serverName is allowed in"
            + " addition, for the pod's own address",
        "{httpGet: {port: 443, scheme: HTTPS, host: vault.example.com, httpHeaders: [{name:"
            + " host, value: evil.org}]}, profile: token} | profile: Forbidden: a Host header is"
            + " not allowed, because it could send the profile's secrets to another server",
        "{httpGet: {port: 443, scheme: HTTPS, host: vault.example.com, httpHeaders: [{name:"
            + " authorization, value: x}]}, profile: token} | profile: Forbidden: both the"
            + " profile and the handler set the header Authorization",
        "{grpc: {port: 443}, profile: plain} | profile: Forbidden: the profile has only"
            + " headers, which require httpGet",
        "{tcpSocket: {port: 443}, profile: mesh} | profile: Forbidden: is only allowed with"
            + " httpGet or grpc, not with tcpSocket",
        "{allOf: [{tcpSocket: {port: 443}}], profile: mesh} | profile: Forbidden: is only"
            + " allowed with httpGet or grpc, not with allOf",
      })
  @DisplayName("sending the secrets elsewhere is refused")
  void refused(String readiness, String complaint) {
    assertThat(read(readiness).complaints()).containsExactly(FIELD + complaint);
  }

  @Test
  @DisplayName("a host that the pod's spec names gets no secrets by annotation either")
  void inherited() {
    Reading reading = read("{tcpSocket: {port: 1}}, liveness: {profile: plain}");
    assertThat(reading.complaints())
        .containsExactly(
            FIELD.replace("readiness", "liveness")
                + "profile: Forbidden: the profile does not allow the handler's host");
  }

  @Test
  @DisplayName("certificates may stand in the annotation, if they are some")
  void inline() throws Exception {
    String good = AnyAuthority.pem().replace("\n", "\\n");
    assertThat(
            http("{httpGet: {port: 443, scheme: HTTPS}, tls: {ca: \"" + good + "\"}}")
                .tls()
                .authorities())
        .isEqualTo(new CaCertificates.Inline(AnyAuthority.pem()));
    String broken = "-----BEGIN CERTIFICATE-----\\nMIIB\\n-----END CERTIFICATE-----\\n";
    for (String pem : new String[] {"nothing", broken, broken.repeat(11)}) {
      assertThat(
              read("{httpGet: {port: 443, scheme: HTTPS}, tls: {ca: \"" + pem + "\"}}")
                  .complaints())
          .singleElement()
          .asString()
          .startsWith(FIELD + "tls.ca: Invalid value: must hold ");
    }
  }
}
