package io.probelet.web.explain;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ContainerSpec;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpHeader;
import io.probelet.probe.PodRef;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler;
import io.probelet.probe.ProbeHandler.AllOf;
import io.probelet.probe.ProbeHandler.Exec;
import io.probelet.probe.ProbeHandler.Grpc;
import io.probelet.probe.ProbeHandler.HttpGet;
import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Protocol;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import io.probelet.probe.ProbeTarget;
import io.probelet.probe.TlsOptions;
import io.probelet.web.explain.ExplainView.Reproduce;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What can be pasted into a shell, also where a pod's author chose the words. */
class ReproduceCommandsTest {
  private static final Port PORT = new Port.Numeric(8080);

  @ParameterizedTest
  @CsvSource({
    "10.42.0.7, /healthz, curl -gv http://10.42.0.7:8080/healthz",
    "10.42.0.7, healthz, curl -gv http://10.42.0.7:8080/healthz",
    "fd00::7, /a-b_c.d, curl -gv 'http://[fd00::7]:8080/a-b_c.d'",
    "10.42.0.7, /a b, curl -gv 'http://10.42.0.7:8080/a b'",
    "10.42.0.7, /$(reboot), curl -gv 'http://10.42.0.7:8080/$(reboot)'",
    "10.42.0.7, /`x`&&y;z|!, curl -gv 'http://10.42.0.7:8080/`x`&&y;z|!'",
    "10.42.0.7, /{a;b}[1-9]~*, curl -gv 'http://10.42.0.7:8080/{a;b}[1-9]~*'",
  })
  @DisplayName("an httpGet is asked by curl at its real address, quoted where a shell would act")
  void http(String ip, String path, String command) {
    assertThat(of(http(path), ip)).containsExactly(new Reproduce(command, ""));
  }

  @Test
  @DisplayName("a quote in a path does not end the quotes")
  void quote() {
    assertThat(of(http("/';reboot;'"), "10.42.0.7"))
        .containsExactly(new Reproduce("curl -gv 'http://10.42.0.7:8080/'\\'';reboot;'\\'''", ""));
  }

  @Test
  @DisplayName("queries and headers are left out, and that is said")
  void secrets() {
    HttpGet secret =
        new HttpGet(
            new Port.Named("http"),
            "db.example",
            "/a?token=hunter2",
            Scheme.HTTPS,
            List.of(new HttpHeader("Authorization", "Bearer hunter2")),
            TlsOptions.INSECURE,
            HttpExpectation.KUBELET);
    assertThat(of(secret, "10.42.0.7"))
        .containsExactly(new Reproduce("curl -gkv https://db.example:80/a", "query and headers"));
    assertThat(of(http("/a?b"), "10.42.0.7"))
        .containsExactly(new Reproduce("curl -gv http://10.42.0.7:8080/a", "query"));
    assertThat(of(http("/a%3Ftoken=hunter2"), "10.42.0.7"))
        .containsExactly(new Reproduce("curl -gv http://10.42.0.7:8080/a", "query"));
  }

  @Test
  @DisplayName("tcpSocket and grpc have a command, too, and each part of allOf")
  void others() {
    ProbeHandler all =
        new AllOf(
            List.of(
                new TcpSocket(new Port.Named("http"), null),
                new Grpc(9000, "a b", TlsOptions.INSECURE),
                new Grpc(9000, "", null),
                new Exec(List.of("check"))));
    assertThat(of(all, "fd00::7"))
        .extracting(Reproduce::command)
        .containsExactly(
            "nc -vz fd00::7 80",
            "grpc_health_probe -addr='[fd00::7]:9000' -tls -tls-no-verify -service='a b'",
            "grpc_health_probe -addr='[fd00::7]:9000'");
  }

  @Test
  @DisplayName("the method, the protocol and the server's name are part of the command")
  void kinds() {
    HttpGet head =
        new HttpGet(
            PORT,
            null,
            "/",
            Scheme.HTTP,
            List.of(),
            TlsOptions.INSECURE,
            HttpExpectation.KUBELET,
            Method.HEAD,
            Protocol.HTTP2);
    Grpc named = new Grpc(9000, "", "a.example", TlsOptions.INSECURE.named("b.example"));
    TcpSocket tls = new TcpSocket(PORT, null).with(TlsOptions.INSECURE.named("a.example"));
    TcpSocket dialog = new TcpSocket(PORT, null, null, List.of(new Step.Send("hunter2\n")));
    assertThat(of(new AllOf(List.of(tls, dialog)), "10.42.0.7"))
        .containsExactly(
            new Reproduce("openssl s_client -connect 10.42.0.7:8080 -servername a.example", ""),
            new Reproduce("nc -v 10.42.0.7 8080", "dialog"));
    assertThat(of(new AllOf(List.of(head, named)), "10.42.0.7"))
        .containsExactly(
            new Reproduce("curl -gv --http2-prior-knowledge -I http://10.42.0.7:8080/", ""),
            new Reproduce(
                "grpc_health_probe -addr=10.42.0.7:9000 -tls -tls-no-verify"
                    + " -tls-server-name=b.example",
                "authority"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/a\nreboot", "/a\u001b[2J", "/\u202etxt", "/é", "/a?b?…#"})
  @DisplayName("what a terminal or a shell would act on is never part of a command")
  void unprintable(String path) {
    assertThat(of(http(path), "10.42.0.7"))
        .allSatisfy(each -> assertThat(each.command()).matches("[ -~]+"));
  }

  @Test
  @DisplayName("without an address, for a long path and beyond eight parts there is no command")
  void none() {
    assertThat(of(http("/"), "")).isEmpty();
    assertThat(of(http("/" + "a".repeat(1_000)), "10.42.0.7")).isEmpty();
    assertThat(of(new TcpSocket(new Port.Named("gone"), null), "10.42.0.7")).isEmpty();
    assertThat(of(new AllOf(Collections.nCopies(50, http("/"))), "10.42.0.7")).hasSize(8);
    assertThat(of(new TcpSocket(PORT, "-e/bin/sh"), "10.42.0.7")).as("an option").isEmpty();
  }

  private static HttpGet http(String path) {
    return new HttpGet(PORT, path);
  }

  private static List<Reproduce> of(ProbeHandler handler, @Nullable String ip) {
    ContainerSpec spec =
        new ContainerSpec("c", false, null, List.of(), Map.of("http", 80), Map.of(), Map.of());
    return ReproduceCommands.of(
        handler, new ProbeTarget(new PodRef("n", "p", "u"), spec, "id", ip == null ? "" : ip));
  }
}
