package io.probelet.fleet.ui;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.IoEventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who is let in, spoken to over real sockets. */
@Timeout(60)
class UiServerTest {
  private static final Pattern SET_COOKIE =
      Pattern.compile(
          "(?i)set-cookie: (probelet-ui=[\\w-]{43}); Path=(\\S+); HttpOnly; SameSite=Strict\r\n");

  private IoEventLoopGroup loops;
  private UiServer server;
  private URI address;
  private String prefix;

  @BeforeEach
  void open() throws IOException {
    loops = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    Map<String, Resource> pages = new LinkedHashMap<>();
    pages.put("", _ -> Answer.of(200, Resource.TEXT, "the fleet"));
    pages.put("node", query -> Answer.of(200, Resource.TEXT, "node " + query.get("name")));
    server = new UiServer(0, loops, pages, new SecureRandom());
    address = URI.create(server.address());
    prefix = address.getPath().substring(0, address.getPath().length() - "enter".length());
  }

  @AfterEach
  void close() {
    server.close();
    loops.shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly();
  }

  @Test
  @DisplayName("it listens on loopback only, below an unguessable path")
  void address() {
    assertThat(address.toString())
        .matches("http://127\\.0\\.0\\.1:\\d+/[\\w-]{22}/enter\\?token=[\\w-]{43}");
  }

  @Test
  @DisplayName("the token is exchanged for a cookie, which opens the pages, and is then used up")
  void exchange() throws IOException {
    String entered = get(door(), "");
    assertThat(entered)
        .startsWith("HTTP/1.1 200 ")
        .containsIgnoringCase("refresh: 0; url=./\r\n")
        .containsIgnoringCase("content-security-policy: default-src 'none';")
        .containsIgnoringCase("cache-control: no-store\r\n")
        .containsIgnoringCase("referrer-policy: no-referrer\r\n")
        .doesNotContain(address.getQuery());
    Matcher set = SET_COOKIE.matcher(entered);
    assertThat(set.find()).as(entered).isTrue();
    assertThat(set.group(2)).isEqualTo(prefix);
    String cookie = "Cookie: other=1; " + set.group(1) + "; more=2\r\n";
    assertThat(get(prefix, cookie)).startsWith("HTTP/1.1 200 ").endsWith("the fleet");
    assertThat(get(prefix + "node?name=a%20b", cookie)).endsWith("node [a b]");
    assertThat(get(prefix + "other", cookie)).startsWith("HTTP/1.1 404 ");

    String again = get(door(), "");
    assertThat(again).startsWith("HTTP/1.1 403 ").contains("Link invalid or already used");
    assertThat(again).doesNotContainIgnoringCase("set-cookie");
    assertThat(get(door(), cookie))
        .as("the same browser, by its history")
        .startsWith("HTTP/1.1 200 ")
        .doesNotContainIgnoringCase("set-cookie");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "Cookie: \r\n",
        "Cookie: probelet-ui=\r\n",
        "Cookie: probelet-ui\r\n",
        "Cookie: probelet-ui=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA\r\n",
        "Cookie: ;;;=;=\r\n",
        "Authorization: Bearer x\r\n",
      })
  @DisplayName("another user of the machine gets 403 on every path, and learns no path")
  void stranger(String headers) throws IOException {
    for (String path :
        new String[] {"/", prefix, prefix + "node", prefix + "other", "/x", "/../", "/node"}) {
      assertThat(get(path, headers))
          .as(path)
          .startsWith("HTTP/1.1 403 ")
          .doesNotContain(prefix.substring(1), "the fleet");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "?",
        "?token=",
        "?token=x",
        "?token",
        "?token=AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
      })
  @DisplayName("a wrong token is rejected and does not use up the right one")
  void wrongToken(String query) throws IOException {
    assertThat(get(prefix + "enter" + query, ""))
        .startsWith("HTTP/1.1 403 ")
        .doesNotContainIgnoringCase("set-cookie");
    assertThat(get(door() + "&token=x", "")).startsWith("HTTP/1.1 403 ");
    assertThat(get(door(), "")).startsWith("HTTP/1.1 200 ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"cross-site", "same-site", "other"})
  @DisplayName("a page of another server or port cannot make the browser ask with the cookie")
  void otherPage(String site) throws IOException {
    String cookie = cookie();
    assertThat(get(prefix, cookie + "Sec-Fetch-Site: " + site + "\r\n"))
        .startsWith("HTTP/1.1 403 ")
        .doesNotContain("the fleet");
    assertThat(get(prefix, cookie + "Sec-Fetch-Site: same-origin\r\n")).endsWith("the fleet");
    assertThat(get(prefix, cookie + "Sec-Fetch-Site: none\r\n")).endsWith("the fleet");
  }

  @Test
  @DisplayName("a name that another owns is not answered, whatever it brings (DNS rebinding)")
  void otherHost() throws IOException {
    String cookie = cookie();
    assertThat(talk("GET " + prefix + " HTTP/1.1\r\nHost: evil.example\r\n" + cookie + "\r\n"))
        .startsWith("HTTP/1.1 421 ");
    assertThat(talk("GET " + door() + " HTTP/1.1\r\nHost: evil.example\r\n\r\n"))
        .startsWith("HTTP/1.1 421 ");
    assertThat(talk("GET " + prefix + " HTTP/1.1\r\nHost: localhost:8080\r\n" + cookie + "\r\n"))
        .as("through a tunnel of ssh")
        .endsWith("the fleet");
  }

  @Test
  @DisplayName("nothing can be sent to it")
  void readOnly() throws IOException {
    assertThat(talk("POST " + prefix + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + cookie() + "\r\n"))
        .startsWith("HTTP/1.1 405 ");
  }

  private String cookie() throws IOException {
    Matcher set = SET_COOKIE.matcher(get(door(), ""));
    assertThat(set.find()).isTrue();
    return "Cookie: " + set.group(1) + "\r\n";
  }

  private String door() {
    return address.getPath() + "?" + address.getQuery();
  }

  private String get(String path, String headers) throws IOException {
    return talk("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:1\r\n" + headers + "\r\n");
  }

  private String talk(String request) throws IOException {
    try (Socket socket = new Socket(address.getHost(), address.getPort())) {
      socket.setSoTimeout(60_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
