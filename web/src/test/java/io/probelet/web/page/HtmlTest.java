package io.probelet.web.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.probelet.web.http.Resource.Answer;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HtmlTest {
  @Test
  @DisplayName("what is shown is text, in content and in attributes")
  void escapes() {
    Html html =
        new Html()
            .element(
                "b", "<script>alert('1')</script>&\u0000\u001b[2J\u202e", "title", "\" onclick=\"x")
            .empty("input", "disabled", "", "value", "'>");
    assertThat(html.toString())
        .isEqualTo(
            "<b title=\"&quot; onclick=&quot;x\">&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;"
                + "\ufffd\ufffd[2J\ufffd</b><input disabled value=\"&#39;&gt;\"/>");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "javascript:alert(1)",
        "JaVaScRiPt:alert(1)",
        " javascript:alert(1)",
        "\tjavascript:alert(1)",
        "https://elsewhere.example/",
        "//elsewhere.example/",
        "/absolute",
        "\\\\elsewhere.example",
        "data:text/html,x"
      })
  @DisplayName("a link leads to the pages beside this one and nowhere else")
  void links(String link) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Html().open("a", "href", link))
        .withMessage("href must be relative to the page, found \"" + link + "\"");
  }

  @ParameterizedTest
  @ValueSource(strings = {".", "", "?pod=a/b:c", "container?pod=a&container=b", "nodes/n:1", "#x"})
  void relativeLinks(String link) {
    assertThat(new Html().open("a", "href", link).toString()).startsWith("<a href");
  }

  @Test
  void oddAttributes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Html().open("a", "href"))
        .withMessage("attribute href of <a> has no value");
  }

  @Test
  @DisplayName("a document brings its policy as a header and its files by relative links")
  void page() throws Exception {
    Answer answer =
        new Page("A & B", List.of("page.css"), List.of("page.js"), new Html().element("h1", "x"))
            .answer(200);
    assertThat(answer.headers().get("Content-Security-Policy"))
        .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(text(answer))
        .startsWith("<!DOCTYPE html>\n<html lang=\"en\">")
        .contains(
            "<title>A &amp; B</title>",
            "<link rel=\"stylesheet\" href=\"page.css\"/>",
            "<script src=\"page.js\" defer></script>",
            "<body><h1>x</h1></body>");
  }

  @Test
  void assets() throws Exception {
    Answer icon = Asset.of("icon.svg").get(Map.of());
    assertThat(icon.contentType()).isEqualTo("image/svg+xml");
    assertThat(text(icon)).startsWith("<svg");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Asset.of("none.css"))
        .withMessage("there is no file none.css");
  }

  private static String text(Answer answer) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    answer.body().writeTo(out);
    return out.toString(StandardCharsets.UTF_8);
  }
}
