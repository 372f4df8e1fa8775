package io.probelet.web.page;

import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * A whole document.
 *
 * @param styles relative addresses of its style sheets
 * @param scripts relative addresses of its scripts, which run when it has been read
 */
public record Page(String title, List<String> styles, List<String> scripts, Html body) {
  /** Only the files beside a page can run, load or send anything; nothing written into it can. */
  private static final Map<String, String> HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:;"
              + " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
          "Referrer-Policy",
          "no-referrer",
          "Cross-Origin-Opener-Policy",
          "same-origin");

  private static final Html RELOAD =
      new Html()
          .open("noscript")
          .empty("meta", "http-equiv", "refresh", "content", "10")
          .close("noscript");

  /**
   * Fragments that are made before the first byte is sent, so that a failure still gets a status.
   */
  private static final int FIRST_FRAGMENTS = 10;

  /** Keeps unmodifiable copies. */
  public Page {
    styles = List.copyOf(styles);
    scripts = List.copyOf(scripts);
  }

  /** {@return the document as an answer} */
  public Answer answer(int status) {
    String document = begin(new Html()) + "</body></html>\n";
    return Answer.of(status, Resource.HTML, document).with(HEADERS);
  }

  /**
   * Makes an answer of a page that is kept up to date by a stream, or, where no script does so, by
   * loading it again every 10 seconds. Most of it is made while it is sent, so that a reader sees
   * the first of many fragments before the last are made.
   *
   * @param stream relative address of the {@link LiveStream} of the same fragments
   * @param fragments what comes after the body, in the element main
   * @param end what comes after that
   */
  public Answer live(int status, String stream, List<Fragment> fragments, Instant now, Html end) {
    Html begin = begin(RELOAD).add(LiveRegion.begin("main", stream, fragments, now));
    int first = Math.min(FIRST_FRAGMENTS, fragments.size());
    fragments.subList(0, first).forEach(fragment -> begin.add(fragment.html().get()));
    List<Fragment> others = fragments.subList(first, fragments.size());
    Resource.Body document =
        out -> {
          write(begin, out);
          for (Fragment fragment : others) {
            write(fragment.html().get(), out);
          }
          write(new Html().close("main").add(end).close("body").close("html"), out);
        };
    return new Answer(status, Resource.HTML, document, HEADERS);
  }

  private static void write(Html part, OutputStream out) throws IOException {
    out.write(part.toString().getBytes(StandardCharsets.UTF_8));
  }

  private Html begin(Html further) {
    Html head =
        Html.document()
            .open("html", "lang", "en")
            .open("head")
            .empty("meta", "charset", "utf-8")
            .empty("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
            .empty("meta", "name", "color-scheme", "content", "light dark")
            .element("title", title)
            .empty("link", "rel", "icon", "href", "icon.svg", "type", "image/svg+xml");
    styles.forEach(style -> head.empty("link", "rel", "stylesheet", "href", style));
    scripts.forEach(script -> head.open("script", "src", script, "defer", "").close("script"));
    return head.add(further).close("head").open("body").add(body);
  }
}
