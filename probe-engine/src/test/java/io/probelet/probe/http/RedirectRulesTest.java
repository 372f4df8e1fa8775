package io.probelet.probe.http;

import static io.probelet.probe.http.HttpProbing.get;
import static io.probelet.probe.http.HttpProbing.response;
import static org.assertj.core.api.Assertions.assertThat;

import io.probelet.probe.HttpHeader;
import io.probelet.probe.ProbeHandler.Scheme;
import io.probelet.probe.Verdict;
import io.probelet.probe.Verdict.Success;
import io.probelet.probe.net.Endpoint;
import io.probelet.probe.net.ScriptedServer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the request says that a redirect leads to, as Go's net/http says it (H-2, H-4). */
class RedirectRulesTest {
  @RegisterExtension static final HttpProbing PROBING = new HttpProbing();

  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private Verdict verdict;

  /** Is led on by each of some answers in turn, with PORT for the server's; then there is a 200. */
  private void probe(List<String> locations, String path, HttpHeader... headers) throws Exception {
    try (ScriptedServer server =
        ScriptedServer.start(connection -> {
          String request = connection.request();
          requests.add(request);
          int turn = requests.size() - 1;
          String port = Integer.toString(connection.socket().getLocalPort());
          connection.send(
              turn < locations.size()
                  ? response(302, "", "Location: " + locations.get(turn).replace("PORT", port))
                  : response(200, "ok"));
        })) {
      verdict = PROBING.verdict(get(server.port(), path, headers));
    }
  }

  private String target(int request) {
    return requests.get(request).split(" ", 3)[1];
  }

  private List<String> header(int request, String name) {
    return HttpServerPaths.header(requests.get(request), name).stream()
        .map(value -> value.replaceAll("127\\.0\\.0\\.1:\\d+", "here"))
        .toList();
  }

  @ParameterizedTest
  @CsvSource({
    "/\u00e9t\u00c3\u00a9, /%E9t%C3%A9",
    "/\u00e9%2Fb, /%E9/b",
    "\u00e9/b, /%E9/b",
    "http://127.0.0.1:PORT/\u00ff, /%FF",
    "/x?\u00e9, /x?%E9"
  })
  @DisplayName("H-4 bytes of a Location above 7f go on escaped, whatever their encoding is")
  void latin1(String location, String target) throws Exception {
    probe(List.of(location), "/");
    assertThat(verdict).isEqualTo(new Success("ok"));
    assertThat(target(1)).isEqualTo(target);
  }

  @ParameterizedTest
  @CsvSource({
    "http://us%20er:p%40w@127.0.0.1:PORT/x, Basic dXMgZXI6cEB3",
    "http://user@127.0.0.1:PORT/x, Basic dXNlcjo=",
    "http://@127.0.0.1:PORT/x, Basic Og==",
    "http://a@b:c@127.0.0.1:PORT/x, Basic YUBiOmM=",
    "//u:p@127.0.0.1:PORT/x, Basic dTpw",
    "http://a:b:c@127.0.0.1:PORT/x, Basic YTpiOmM="
  })
  @DisplayName("H-2 the user in a Location becomes Authorization")
  void user(String location, String authorization) throws Exception {
    probe(List.of(location), "/");
    assertThat(verdict).isEqualTo(new Success("ok"));
    assertThat(header(0, "Authorization")).isEmpty();
    assertThat(header(1, "Authorization")).containsExactly(authorization);
  }

  @ParameterizedTest
  @ValueSource(strings = {"http://a<b@127.0.0.1/", "http://a%zz@127.0.0.1/", "//\u00e9@127.0.0.1/"})
  @DisplayName("H-4 an invalid user makes a Location invalid; the message omits it")
  void badUser(String location) throws Exception {
    probe(List.of(location), "/");
    assertThat(verdict)
        .isInstanceOfSatisfying(
            Verdict.Failure.class,
            failure ->
                assertThat(failure.message())
                    .contains("failed to parse Location header")
                    .doesNotContain("a<b", "%zz", "\u00e9"));
  }

  @Test
  @DisplayName("H-2 an Authorization of the probe's own goes before that of a Location")
  void ownAuthorization() throws Exception {
    List<String> to = List.of("http://u:p@127.0.0.1:PORT/x");
    probe(to, "/", new HttpHeader("authorization", "Bearer z"));
    assertThat(header(1, "Authorization")).containsExactly("Bearer z");

    requests.clear();
    probe(to, "/", new HttpHeader("Authorization", ""));
    assertThat(header(1, "Authorization")).containsExactly("Basic dTpw");
  }

  @Test
  @DisplayName(
      "H-2 Referer is the URL before, without its user; one of the probe's own goes before")
  void referer() throws Exception {
    probe(List.of("//u:p@127.0.0.1:PORT/x?y", "/z"), "/a?b=c");
    assertThat(header(0, "Referer")).isEmpty();
    assertThat(header(1, "Referer")).containsExactly("http://here/a?b=c");
    assertThat(header(2, "Referer")).containsExactly("http://here/x?y");

    requests.clear();
    probe(List.of("/x"), "/", new HttpHeader("referer", "mine"));
    assertThat(header(1, "Referer")).containsExactly("mine");

    requests.clear();
    probe(List.of("/x"), "/", new HttpHeader("Referer", ""));
    assertThat(header(1, "Referer")).containsExactly("http://here/");
  }

  @Test
  @DisplayName("H-2 no Referer leads from HTTPS to HTTP")
  void downgrade() {
    ProbeUrl secure = ProbeUrl.of(Scheme.HTTPS, new Endpoint("shop", 8443), "/a?secret");
    assertThat(secure.follow("http://shop/b"))
        .isInstanceOfSatisfying(
            ProbeUrl.Next.Follow.class, next -> assertThat(secure.refererOf(next.url())).isNull());
    assertThat(secure.refererOf(secure)).isEqualTo("https://shop:8443/a?secret");
  }

  @Test
  @DisplayName("H-2, C-13 a chain: Host and Authorization hold up to the first absolute Location")
  void chain() throws Exception {
    probe(
        List.of("/0", "http://u:p@127.0.0.1:PORT/1", "/2", "http://127.0.0.1:PORT/3", "/4"),
        "/",
        new HttpHeader("Host", "foo.example"),
        new HttpHeader("X-A", "b"));
    assertThat(verdict).isEqualTo(new Success("ok"));
    List<List<String>> hosts = new ArrayList<>();
    List<List<String>> users = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      hosts.add(header(i, "Host"));
      users.add(header(i, "Authorization"));
      assertThat(header(i, "X-A")).containsExactly("b");
    }
    List<String> own = List.of("foo.example");
    List<String> here = List.of("here");
    assertThat(hosts).containsExactly(own, own, here, here, here, here);
    List<String> user = List.of("Basic dTpw");
    assertThat(users).containsExactly(List.of(), List.of(), user, user, List.of(), List.of());
  }
}
