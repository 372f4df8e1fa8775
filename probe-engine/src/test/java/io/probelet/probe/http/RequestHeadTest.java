package io.probelet.probe.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeHandler.Method;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.http.RequestHead.HeaderField;
import io.probelet.probe.net.Endpoint;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestHeadTest {
  private static final String AGENT = "probelet/1";

  @Test
  @DisplayName("H-2 names are written as the kubelet writes them, values keep their order")
  void canonical() {
    assertThat(
            lines(
                head(
                    "accept",
                    "application/json",
                    "Accept",
                    "*/*",
                    "pragma",
                    "no-cache",
                    "X-forwarded-for",
                    "username")))
        .containsExactly(
            "User-Agent: probelet/1",
            "Accept: application/json",
            "Accept: */*",
            "Pragma: no-cache",
            "X-Forwarded-For: username");
  }

  @Test
  @DisplayName("H-2 User-Agent and Accept are defaults only; given empty they are not sent")
  void defaults() {
    assertThat(lines(head("User-Agent", "foo/1.0", "Accept", "foo/*")))
        .containsExactly("User-Agent: foo/1.0", "Accept: foo/*");
    assertThat(lines(head("User-Agent", "", "Accept", ""))).isEmpty();
    assertThat(lines(head("Accept", "", "Accept", "text/html")))
        .as("an empty first value removes all")
        .containsExactly("User-Agent: probelet/1");
    assertThat(lines(RequestHead.of(List.of(), ""))).containsExactly("Accept: */*");
  }

  @Test
  @DisplayName("H-2 the first Host wins; an empty one is as good as none")
  void host() {
    assertThat(head("HOST", "a.example", "Host", "b.example").host()).isEqualTo("a.example");
    assertThat(head("Host", "").host()).isNull();
  }

  @ParameterizedTest
  @CsvSource({
    "a.example:8080, a.example:8080",
    "a_b, a_b",
    "'!$%&()*+,-.:;=[]~', '!$%&()*+,-.:;=[]~'",
    "münchen.de, xn--mnchen-3ya.de",
    "münchen.de:8080, xn--mnchen-3ya.de:8080",
    "a b, ''",
    "a/b, ''",
    "a?b, ''",
    "a@b, ''",
    "ü b, ''",
    "a\"b, ''"
  })
  @DisplayName("H-2 a Host is sent in Punycode; one that can be no host is sent empty, as in Go")
  void hosts(String given, String sent) {
    assertThat(head("Host", given).host()).isEqualTo(sent);
    ProbeUrl url = ProbeUrl.of(Scheme.HTTP, new Endpoint("a.example", 80), "/");
    assertThat(new String(head("Host", given).request(Method.GET, url), UTF_8))
        .contains("\r\nHost: " + sent + "\r\n");
  }

  @Test
  @DisplayName("H-2 a Host of more than 255 characters is not converted: that takes long")
  void longHost() {
    String labels = "ü.".repeat(127);
    assertThat(head("Host", labels + "a").host()).startsWith("xn--tda.xn--tda.");
    assertThat(head("Host", labels + "ab").host()).isEmpty();
    assertThat(head("Host", "a".repeat(1000)).host()).hasSize(1000);
  }

  @Test
  @DisplayName("H-2 Connection: close is added unless given, or unless the probe asks to upgrade")
  void connection() {
    assertThat(closes(head())).isTrue();
    assertThat(closes(head("Connection", "keep-alive"))).isTrue();
    assertThat(closes(head("Connection", "x, Close"))).isFalse();
    assertThat(closes(head("Connection", "Upgrade", "Upgrade", "websocket"))).isFalse();
    assertThat(closes(head("Upgrade", "websocket"))).isTrue();
  }

  @Test
  @DisplayName("headers that describe a body are not sent, as there is none")
  void noBody() {
    assertThat(
            lines(
                head(
                    "Content-Length",
                    "5",
                    "transfer-encoding",
                    "chunked",
                    "Trailer",
                    "X",
                    "Content-Type",
                    "text/plain")))
        .containsExactly("User-Agent: probelet/1", "Content-Type: text/plain", "Accept: */*");
  }

  @Test
  @DisplayName("what is no header cannot be sent, and the message tells no value")
  void broken() {
    assertThat(head("A b", "secret").broken())
        .isEqualTo("net/http: invalid header field name \"A b\"");
    assertThat(head("", "secret").broken()).isEqualTo("net/http: invalid header field name \"\"");
    assertThat(head("Token", "se\ncret").broken())
        .isEqualTo("net/http: invalid header field value for \"Token\"");
    assertThat(head("Name", "ümläut\t€").broken()).isNull();
  }

  private static RequestHead head(String... namesAndValues) {
    HeaderField[] headers = new HeaderField[namesAndValues.length / 2];
    Arrays.setAll(headers, i -> new HeaderField(namesAndValues[2 * i], namesAndValues[2 * i + 1]));
    return RequestHead.of(List.of(headers), AGENT);
  }

  private static boolean closes(RequestHead head) {
    ProbeUrl url = ProbeUrl.of(Scheme.HTTP, new Endpoint("a.example", 80), "/");
    return new String(head.request(Method.GET, url), UTF_8)
        .endsWith("\r\nConnection: close\r\n\r\n");
  }

  private static List<String> lines(RequestHead head) {
    return head.headers().stream().map(header -> header.name() + ": " + header.value()).toList();
  }
}
