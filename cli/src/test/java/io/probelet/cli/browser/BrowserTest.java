package io.probelet.cli.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** That the browser of the tests notices what the tests of pages rely on. */
@ExtendWith(BrowserExtension.class)
class BrowserTest {
  private HttpServer server;

  @BeforeEach
  void open() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.start();
  }

  @AfterEach
  void close() {
    server.stop(0);
  }

  @Test
  @DisplayName("a plain page is loaded, read, typed into and without fault")
  void plain(BrowserTab tab, @TempDir Path directory) throws Exception {
    URI address = serve("all is well", "script-src 'self'");
    tab.load(address);
    assertThat(tab.text()).contains("all is well");
    tab.press("Tab");
    tab.type("web");
    assertThat(tab.eval("document.activeElement.value").asText()).isEqualTo("web");
    tab.press("Tab");
    assertThat(tab.eval("document.activeElement.id").asText()).isEqualTo("next");
    assertThat(Axe.violations(tab)).isEmpty();
    assertThat(tab.complaints()).isEmpty();
    assertThat(tab.requests())
        .contains(address)
        .allMatch(each -> each.getHost().equals(address.getHost()));
    tab.picture(directory.resolve("page.png"));
    assertThat(directory.resolve("page.png")).isNotEmptyFile();
    assertThat(tab.work()).isPositive();
  }

  @Test
  @DisplayName(
      "what a policy forbids, what a script throws and where a page reaches for are noticed")
  void noticed(BrowserTab tab) throws Exception {
    tab.load(
        serve(
            "<b onclick='x()' style='color: red'>a</b><img src='https://example.org/x.png' alt=''>",
            "default-src 'none'; img-src * data:"));
    assertThat(tab.complaints())
        .anyMatch(each -> each.startsWith("refused: style-src-attr"))
        .anyMatch(each -> each.contains("ERR_NAME_NOT_RESOLVED"));
    assertThat(tab.requests()).contains(URI.create("https://example.org/x.png"));

    tab.load(serve("<script>no.such()</script>", "script-src 'unsafe-inline'"));
    assertThat(tab.complaints()).anyMatch(each -> each.contains("no is not defined"));
    assertThatThrownBy(() -> tab.eval("no.such()")).hasMessageContaining("no is not defined");
  }

  @Test
  @DisplayName("what cannot be read is named with where it is, in light and in dark")
  void unreadable(BrowserTab tab) throws Exception {
    tab.load(
        serve(
            "<style>.x { color: #ddd } @media (prefers-color-scheme: dark) { body { background: #000 }"
                + " :is(h1, label, .x) { color: #ddd } a { color: #8cf } }</style><span class=x>pale</span>",
            "style-src 'unsafe-inline'"));
    assertThat(Axe.violations(tab))
        .singleElement()
        .asString()
        .contains("color-contrast", "<span class=\"x\">pale</span>");
    assertThat(Axe.violations(tab.dark(true))).isEmpty();
  }

  private URI serve(String body, String policy) {
    String path = "/" + Integer.toHexString(body.hashCode());
    byte[] page =
        """
        <!doctype html>
        <html lang="en">
        <head><meta charset="utf-8"><title>Page</title><link rel="icon" href="data:,"></head>
        <body><main><h1>Page</h1><p>%s</p>
        <label>Name <input id="name"></label> <a id="next" href="next">next</a></main></body>
        </html>
        """
            .formatted(body)
            .getBytes(StandardCharsets.UTF_8);
    server.createContext(
        path,
        exchange -> {
          exchange.getResponseHeaders().set("Content-Type", "text/html");
          exchange.getResponseHeaders().set("Content-Security-Policy", policy);
          exchange.sendResponseHeaders(200, page.length);
          exchange.getResponseBody().write(page);
          exchange.close();
        });
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
  }
}
