package io.probelet.probe.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.http.ProbeUrl.Next;
import io.probelet.probe.net.Endpoint;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeUrlTest {
  private static final Endpoint ENDPOINT = new Endpoint("localhost", 93);

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "``, /",
        "/, /",
        "?foo, /?foo",
        "/path?bar, /path?bar",
        "/a/../b-c_d.e//f, /a/../b-c_d.e//f",
        "/path?, /path?",
        "/a?b?c, /a?b?c",
        "healthz, /healthz",
        "/a#fragment, /a",
        "/a%2Fb, /a%2Fb",
        "/a b, /a%20b",
        "/a%2Fb c, /a/b%20c",
        "/ü, /%C3%BC",
        "/!$&'()*+;=:@[], /!$&'()*+;=:@[]",
        "/a?b c=ü, /a?b%20c=%C3%BC",
        "//other/path, /path",
        "http://other:1/path?q, /path?q",
        "/*, /*",
        "*, /*"
      })
  @DisplayName("H-1 a path with its query goes on the wire as the kubelet sends it")
  void paths(String path, String target) {
    assertThat(ProbeUrl.of(Scheme.HTTP, ENDPOINT, path).target()).isEqualTo(target);
  }

  @ParameterizedTest
  @CsvSource({
    "/%zz, /%25zz",
    "/a?b%zz, /a?b%zz",
    "/%zz?a=b#c, /%25zz%3Fa=b%23c",
    "a:b, /a:b",
    "1a:b?c, /1a:b%3Fc",
    ":b, /:b",
    "'/a\nb', /a%0Ab",
    "//h:port/x?y, //h:port/x%3Fy"
  })
  @DisplayName("H-1 a path that is no valid URL is sent escaped as a path")
  void invalid(String path, String target) {
    assertThat(ProbeUrl.of(Scheme.HTTP, ENDPOINT, path).target()).isEqualTo(target);
  }

  @Test
  @DisplayName("H-1 messages show the URL, its query apart")
  void shown() {
    assertThat(ProbeUrl.of(Scheme.HTTPS, ENDPOINT, "/path?bar"))
        .hasToString("https://localhost:93/path?…");
    assertThat(ProbeUrl.of(Scheme.HTTP, new Endpoint("fe80::1%eth0", 80), "/"))
        .hasToString("http://[fe80::1]:80/");
  }

  @ParameterizedTest
  @CsvSource({
    "/new, http://localhost:93/new",
    "'', http://localhost:93/a/b?q",
    "?x, http://localhost:93/a/b?x",
    "../../../c, http://localhost:93/c",
    ".., http://localhost:93/",
    "c/./d/../e, http://localhost:93/a/c/e",
    "//localhost/x, http://localhost/x",
    "http://localhost, http://localhost/",
    "HTTPS://localhost:8443/x/../y?z, https://localhost:8443/y?z",
    "http://user:pw@localhost:94/, http://localhost:94/"
  })
  @DisplayName("H-4 a Location on the same host is followed, port and scheme may differ")
  void follow(String location, String next) {
    assertThat(ProbeUrl.of(Scheme.HTTP, ENDPOINT, "/a/b?q").follow(location))
        .isInstanceOfSatisfying(
            Next.Follow.class, follow -> assertThat(whole(follow.url())).isEqualTo(next));
  }

  private static String whole(ProbeUrl url) {
    return url.scheme().name().toLowerCase(Locale.ROOT) + "://" + url.authority() + url.target();
  }

  @ParameterizedTest
  @CsvSource({"https://localhost/, 443", "http://localhost/, 80", "http://localhost:1/, 1"})
  @DisplayName("H-4 a Location without port means the scheme's")
  void ports(String location, int port) {
    assertThat(ProbeUrl.of(Scheme.HTTP, ENDPOINT, "/").follow(location))
        .isInstanceOfSatisfying(
            Next.Follow.class,
            follow ->
                assertThat(follow.url().endpoint()).isEqualTo(new Endpoint("localhost", port)));
  }

  @ParameterizedTest
  @CsvSource({
    "http://other/",
    "//other",
    "http:///x",
    "mailto:a@b",
    "http:x",
    "http://a<b/",
    "ftp://x",
    "ftp:///x",
    "http://localhost.:93/"
  })
  @DisplayName("H-4 anything that names another host ends the chain")
  void otherHost(String location) {
    assertThat(ProbeUrl.of(Scheme.HTTP, ENDPOINT, "/").follow(location))
        .isInstanceOf(Next.OtherHost.class);
  }

  @ParameterizedTest
  @CsvSource({
    "/%zz, failed to parse Location header \"/%zz\"",
    "http://localhost:99999/, failed to parse Location header \"http://localhost:99999/\"",
    "http://[::1/, failed to parse Location header \"http://[::1/\"",
    "http://localhost:0/, dial tcp: address 0: invalid port",
    "gopher://localhost/, unsupported protocol scheme \"gopher\""
  })
  @DisplayName("H-4 an invalid Location is reported")
  void broken(String location, String why) {
    assertThat(ProbeUrl.of(Scheme.HTTP, ENDPOINT, "/").follow(location))
        .isEqualTo(new Next.Broken(why));
  }
}
