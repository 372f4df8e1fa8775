package io.probelet.probe.http;

import static io.probelet.probe.http.HttpProbing.get;
import static io.probelet.probe.http.HttpProbing.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.HttpHeader;
import io.probelet.probe.Verdict;
import io.probelet.probe.net.ClosedPort;
import io.probelet.probe.net.ScriptedServer;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A10: messages become events, log lines and API answers, so no secret of a request is in them. */
class SecretsTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private static final String PATH = "/health?token=s3cret&x=s3cret#s3cret";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/a                          | /a",
        "/a?b=c                      | /a?…",
        "/a%3Fb=c                    | /a?…",
        "/a#b                        | /a?…",
        "http://h:80/p?q             | http://h:80/p?…",
        "http://u:p@h:80/p           | http://…@h:80/p",
        "//u:p@h                     | //…@h",
        "http://u@v@h/x@y?z@w        | http://…@h/x@y?…"
      })
  @DisplayName("a URL is shown without query, fragment and user")
  void urls(String url, String shown) {
    assertThat(Secrets.withoutSecrets(url)).isEqualTo(shown);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 302 Found\r\nLocation: http://u:s3cret@127.0.0.1:x/?s3cret\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: /%zz?s3cret\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: ftp://s3cret@127.0.0.1/?s3cret\r\n\r\n",
        "HTTP/1.1 302 Found\r\nLocation: http://other/?a=s3cret&b=1\r\nContent-Length: 62\r\n\r\n"
            + "<a href=\"http://other/?a=s3cret&amp;b=1\">Found</a> ?a=s3cret&b=1",
        "HTTP/1.1 200 OK\r\ns3cret\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: s3cret\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: s3cret\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX: s3cret\u0001\r\n\r\n",
        "HTTP/1.1 404 s3cret\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx",
        "/?token=s3cret HTTP/1.1\r\n\r\n"
      })
  @DisplayName("no answer makes a message tell a query, a user or a header's value")
  void answers(String answer) throws Exception {
    try (ScriptedServer server = ScriptedServer.answering(answer)) {
      assertClean(PROBING.verdict(get(server.port(), PATH, secretHeader())));
    }
  }

  @Test
  @DisplayName("a server that echoes the request makes no message tell what was in it")
  void echo() throws Exception {
    try (ScriptedServer server =
        ScriptedServer.start(to -> {
          byte[] request = new byte[4_096];
          int length = to.in().read(request);
          to.send(new String(request, 0, length, java.nio.charset.StandardCharsets.ISO_8859_1));
        })) {
      assertClean(PROBING.verdict(get(server.port(), PATH, secretHeader())));
    }
  }

  @Test
  @DisplayName("a refused connection and a timeout tell that there is a query, not what it says")
  void failures() throws Exception {
    try (ClosedPort closed = new ClosedPort();
        ScriptedServer silent = ScriptedServer.start(ScriptedServer.Connection::hang)) {
      Verdict refused = PROBING.verdict(get(closed.number(), PATH));
      assertClean(refused);
      assertThat(refused.text())
          .startsWith("Get \"http://127.0.0.1:" + closed.number() + "/health?…\": ");
      assertClean(
          PROBING
              .probe(get(silent.port(), PATH, secretHeader()), Duration.ofMillis(100))
              .verdict());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/x%zz?s3cret", "a b?s3cret", ":?s3cret"})
  @DisplayName("a path that is no URL tells nothing behind its question mark either")
  void oddPaths(String path) throws Exception {
    try (ScriptedServer server = ScriptedServer.answering("nonsense\r\n\r\n")) {
      assertClean(PROBING.verdict(get(server.port(), path)));
    }
  }

  @Test
  @DisplayName("a warning for a redirect that is not followed keeps the rest of its body")
  void body() throws Exception {
    String location = "http://other/?a=1";
    try (ScriptedServer server =
        ScriptedServer.answering(
            response(302, "see " + location + " now", "Location: " + location))) {
      assertThat(PROBING.verdict(get(server.port(), "/")).text())
          .isEqualTo("Probe terminated redirects, Response body: see http://other/?… now");
    }
  }

  private static HttpHeader secretHeader() {
    return new HttpHeader("Authorization", "Bearer s3cret");
  }

  private static void assertClean(Verdict verdict) {
    assertThat(verdict.healthy() && !(verdict instanceof Verdict.Warning)).isFalse();
    assertThat(verdict.text()).isNotEmpty().doesNotContain("s3cret");
  }
}
