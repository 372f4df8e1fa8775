package io.probelet.probe.net;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.health.Certificates;
import io.probelet.probe.BodyPattern;
import io.probelet.probe.CaCertificates.InFile;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.Port;
import io.probelet.probe.ProbeHandler.TcpSocket;
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import io.probelet.probe.ProbeOutcome;
import io.probelet.probe.TlsOptions;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Cause;
import io.probelet.probe.Verdict.Failure;
import io.probelet.probe.Verdict.Success;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** TCP probes that shake hands for TLS (H-13) and hold a dialog (H-14). */
@Execution(ExecutionMode.CONCURRENT) // most of its time is waiting
class TcpDialogTest {
  @RegisterExtension static final Probing PROBING = new Probing();

  private static final Duration SHORT = Duration.ofMillis(300);
  private static @TempDir Path directory;
  private static Certificates certificates;
  private static SSLContext context;

  private final List<String> heard = new CopyOnWriteArrayList<>();

  @BeforeAll
  static void make() {
    certificates = new Certificates(directory).add("good", "-ext", "san=dns:shop.example");
    context = certificates.server("good");
  }

  private static ProbeOutcome outcome(TcpSocket handler, Duration timeout) {
    TcpProber prober = new TcpProber(PROBING.dialer());
    return PROBING.outcome(done -> prober.probe(handler, Probing.target(), timeout, done));
  }

  private static Verdict probe(ScriptedServer server, TlsOptions tls, Step... dialog) {
    return outcome(
            new TcpSocket(new Port.Numeric(server.port()), null, tls, List.of(dialog)),
            Probing.TIMEOUT)
        .verdict();
  }

  private static Step line(String pattern) {
    return new Step.Expect(new BodyRule.Matches(BodyPattern.of(pattern)));
  }

  private static Step text(String text) {
    return new Step.Expect(new BodyRule.Contains(text));
  }

  private String readLine(java.io.InputStream in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n'; next = in.read()) {
      line.append((char) next);
    }
    heard.add(line.toString());
    return line.toString();
  }

  private static ScriptedServer saying(String... parts) {
    return ScriptedServer.start(connection -> {
      for (String part : parts) {
        connection.send(part);
      }
      connection.hang();
    });
  }

  /** The message has the rule, and nothing of the server's. */
  private static Success met(String expression) {
    return new Success("a line that matches \"" + expression + "\"");
  }

  @Test
  @DisplayName("H-14 each line is held against one step after the other, however they arrive")
  void lines() throws Exception {
    try (ScriptedServer server = saying("220 shop ES", "MTP\r\n250-SIZE\r\n250-START", "TLS\r\n")) {
      assertThat(probe(server, null, line("^220 .*ESMTP$"), line("^250-STARTTLS$")))
          .isEqualTo(met("^250-STARTTLS$"));
    }
    try (ScriptedServer server = saying("one\ntwo\n")) {
      assertThat(probe(server, null, line("one"), line("two"))).isEqualTo(met("two"));
    }
  }

  @Test
  @DisplayName("H-14 a text is found across packets, and the next step looks behind it")
  void texts() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.start(connection -> {
          connection.send("+PO");
          readLine(connection.in());
          connection.send("NG\r\n+PONG\r\n");
          connection.hang();
        })) {
      assertThat(probe(server, null, new Step.Send("PING\r\n"), text("+PONG"), text("+PONG")))
          .isEqualTo(new Success("+PONG"));
      assertThat(heard).containsExactly("PING\r");
    }
  }

  @Test
  @DisplayName("H-14 a server that ends early: the last line counts, and then there is no more")
  void ended() throws Exception {
    try (ScriptedServer server = ScriptedServer.start(connection -> connection.send("ready"))) {
      assertThat(probe(server, null, line("^ready$"))).isEqualTo(met("^ready$"));
      Verdict verdict = probe(server, null, line("^up$"));
      assertThat(verdict.text())
          .isEqualTo(
              "TCP probe failed: the server ended the connection without a line that matches"
                  + " \"^up$\"");
      assertThat(((Failure) verdict).cause()).isEqualTo(Cause.EXPECT);
    }
  }

  @Test
  @DisplayName("H-14 a silent server times out, and the message has the rule and no answer")
  void silent() throws Exception {
    try (ScriptedServer server = saying("secret\n")) {
      TcpSocket handler =
          new TcpSocket(
              new Port.Numeric(server.port()), null, null, List.of(text("never"), text("b")));
      Verdict verdict = outcome(handler, SHORT).verdict();
      assertThat(verdict.text())
          .isEqualTo("read tcp 127.0.0.1:" + server.port() + ": i/o timeout, without \"never\"");
      assertThat(((Failure) verdict).cause()).isEqualTo(Cause.TIMEOUT);
    }
  }

  @Test
  @DisplayName("H-14 a server that talks without end is cut off after 16 KiB, or 100 lines")
  void bounds() throws Exception {
    String flood = "x".repeat(1_000);
    try (ScriptedServer server = saying(flood.repeat(20))) {
      assertThat(probe(server, null, text("never")).text())
          .isEqualTo("TCP probe failed: more than 16 KiB without \"never\"");
      assertThat(probe(server, null, line("never")).text())
          .isEqualTo("TCP probe failed: more than 16 KiB without a line that matches \"never\"");
    }
    try (ScriptedServer server = saying("\n".repeat(TcpDialog.MAX_LINES), "up\n")) {
      assertThat(probe(server, null, line("^up$")).text())
          .isEqualTo("TCP probe failed: more than 100 lines without a line that matches \"^up$\"");
    }
    try (ScriptedServer server = saying("\n".repeat(TcpDialog.MAX_LINES - 1), "up\n")) {
      assertThat(probe(server, null, line("^up$"))).isEqualTo(met("^up$"));
    }
  }

  @Test
  @DisplayName("H-13 a handshake: success says until when, and failures say why")
  void handshake() throws Exception {
    InFile authority = new InFile(certificates.certificate("ca"));
    TlsOptions verified = new TlsOptions(true, authority, "shop.example", null, null);
    ScriptedServer.Script script =
        connection -> {
          ((SSLSocket) connection.socket()).startHandshake();
          connection.hang();
        };
    try (ScriptedServer server = ScriptedServer.startTls(context, script)) {
      assertThat(probe(server, TlsOptions.INSECURE).text()).startsWith("certificates expire at 2");
      assertThat(probe(server, verified).healthy()).isTrue();
      Verdict other = probe(server, verified.named("bank.example"));
      assertThat(other.text()).contains("certificate is valid for shop.example, not bank.example");
      assertThat(((Failure) other).cause()).isEqualTo(Cause.TLS);
    }
    try (ScriptedServer plain = saying("220 shop\r\n")) {
      assertThat(probe(plain, TlsOptions.INSECURE).text())
          .isEqualTo("tls: first record does not look like a TLS handshake");
    }
  }

  @Test
  @DisplayName("H-13 minValidity: certificates that expire sooner are a failure, in any TLS probe")
  void minValidity() throws Exception {
    ScriptedServer.Script script =
        connection -> {
          ((SSLSocket) connection.socket()).startHandshake();
          connection.hang();
        };
    try (ScriptedServer server = ScriptedServer.startTls(context, script)) {
      Verdict verdict = probe(server, valid(Duration.ofDays(36_500)));
      assertThat(verdict.text())
          .startsWith("tls: a certificate expires at 2")
          .endsWith(", and minValidity is 876000h0m0s");
      assertThat(((Failure) verdict).cause()).isEqualTo(Cause.TLS);
      assertThat(((Failure) verdict).definite()).isTrue();
      assertThat(probe(server, valid(Duration.ofMinutes(1))).healthy()).isTrue();
    }
  }

  private static TlsOptions valid(Duration least) {
    return new TlsOptions(false, null, null, null, null, least);
  }

  private ScriptedServer smtp(String afterStartTls) {
    return ScriptedServer.start(connection -> {
      connection.send("220 shop\r\n");
      readLine(connection.in());
      connection.send("220 go ahead\r\n" + afterStartTls);
      SSLSocket secure =
          (SSLSocket) context.getSocketFactory().createSocket(connection.socket(), null, 0, false);
      secure.setUseClientMode(false);
      secure.startHandshake();
      readLine(secure.getInputStream());
      secure.getOutputStream().write("250 hello\r\n".getBytes(StandardCharsets.UTF_8));
      connection.hang();
    });
  }

  private static Step[] startTls() {
    return new Step[] {
      line("^220"),
      new Step.Send("STARTTLS\r\n"),
      line("^220"),
      Step.STARTTLS,
      new Step.Send("EHLO probe\r\n"),
      line("^250")
    };
  }

  @Test
  @DisplayName("H-14 STARTTLS: the dialog goes on under TLS, verified where that was asked for")
  void startsTls() throws Exception {
    InFile authority = new InFile(certificates.certificate("ca"));
    TlsOptions verified = new TlsOptions(true, authority, "shop.example", null, null);
    try (ScriptedServer server = smtp("")) {
      ProbeOutcome outcome =
          outcome(
              new TcpSocket(new Port.Numeric(server.port()), null, verified, List.of(startTls())),
              Probing.TIMEOUT);
      assertThat(outcome.verdict()).isEqualTo(met("^250"));
      assertThat(heard).containsExactly("STARTTLS\r", "EHLO probe\r");
      assertThat(outcome.certificateExpiry()).isNotEqualTo(ProbeOutcome.NO_CERTIFICATE);
      assertThat(outcome.timings().firstByte()).isGreaterThan(outcome.timings().secured());
      assertThat(probe(server, verified.named("bank.example"), startTls()).text())
          .contains("not bank.example");
    }
  }

  @Test
  @DisplayName("H-14 nothing happens between STARTTLS and TLS, however soon a line is judged")
  void nothingBeforeTls() throws Exception {
    List<Integer> first = new CopyOnWriteArrayList<>();
    try (ScriptedServer server =
        ScriptedServer.start(connection -> {
          connection.send("220 go\r\n");
          first.add(connection.in().read());
        })) {
      for (int i = 0; i < 30; i++) { // whether a line is judged at once depends on other threads
        assertThat(
                probe(
                    server,
                    TlsOptions.INSECURE,
                    line("^220"),
                    new Step.StartTls(),
                    new Step.Send("SECRET\r\n")))
            .isInstanceOf(Failure.class);
      }
    }
    assertThat(first).as("the first byte of a TLS record").containsOnly(0x16);
  }

  @Test
  @DisplayName("H-14 what a server sends between STARTTLS and TLS is never taken for protected")
  void injected() throws Exception {
    try (ScriptedServer server = smtp("250 injected\r\n")) {
      assertThat(probe(server, null, startTls()).text())
          .isEqualTo("TCP probe failed: tls: data of the server before the handshake");
    }
  }

  @Test
  @DisplayName("H-14 a server that refuses TLS has not sent what is expected")
  void refused() throws Exception {
    try (ScriptedServer server = saying("454 no TLS today\r\n")) {
      // The first line that is judged in a JVM loads classes, which takes longer than SHORT.
      assertThat(probe(server, null, line("^454"))).isInstanceOf(Success.class);
      TcpSocket handler =
          new TcpSocket(new Port.Numeric(server.port()), null, null, List.of(startTls()));
      assertThat(outcome(handler, SHORT).verdict().text())
          .endsWith("i/o timeout, without a line that matches \"^220\"");
    }
  }
}
