package io.probelet.fleet.ui;

import io.probelet.fleet.FleetView;
import io.probelet.health.TimeSource;
import io.probelet.web.http.Resource;
import io.probelet.web.http.Resource.Answer;
import io.probelet.web.http.Resource.BadRequest;
import io.probelet.web.metrics.BuildInfo;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.LiveRegion;
import io.probelet.web.page.LiveStream;
import io.probelet.web.page.Page;
import io.probelet.web.page.PageQuery;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * What all pages have: links to each other, a heading, the cluster's name, and a region that is
 * kept up to date by a stream of its own, whose path is the page's with {@code live} behind it.
 *
 * @param menu the pages to choose from: names by path, relative to the first page
 * @param fleet names the cluster
 * @param notice what every page says above all else; empty for nothing
 */
record UiPage(
    SequencedMap<String, String> menu, Supplier<FleetView> fleet, String notice, TimeSource time) {
  /** What a page shows. Called by several at once. */
  interface Content extends LiveStream.Source {
    /**
     * {@return the heading}
     *
     * @throws BadRequest if they make no sense
     */
    String title(PageQuery query) throws BadRequest;

    /**
     * {@return what is above the region, such as a form; not kept up to date}
     *
     * @throws BadRequest if they make no sense
     */
    default Html above(PageQuery query) throws BadRequest {
      return new Html();
    }
  }

  /**
   * Adds a page and its stream.
   *
   * @param path the page's, relative to the first page
   */
  void add(Map<String, Resource> pages, String path, Content content) {
    pages.put(path, query -> answer(path, content, query));
    pages.put(stream(path), new LiveStream(content, time));
  }

  private static String stream(String path) {
    return path.isEmpty() ? "live" : path + "-live";
  }

  private Answer answer(String path, Content content, Map<String, List<String>> values)
      throws Exception {
    PageQuery query = new PageQuery(values);
    Instant now = time.wallTime();
    List<Fragment> fragments = content.fragments(values);
    return document(
        path,
        content.title(query),
        new Html()
            .open("main")
            .add(content.above(query))
            .add(LiveRegion.of("div", query.on(stream(path)), fragments, now))
            .close("main"));
  }

  /**
   * Ends a form that applies choices at once; without scripts it has a button.
   *
   * @param form behind its last field
   */
  static Html endOfForm(Html form) {
    return form.open("noscript")
        .element("button", "Show", "type", "submit")
        .close("noscript")
        .close("form");
  }

  /**
   * Makes a page.
   *
   * @param path its own, to mark it in the menu
   * @param content what is below it
   */
  Answer document(String path, String title, Html content) {
    Html body = new Html().open("header", "class", "top");
    if (!notice.isEmpty()) {
      body.element("p", notice, "class", "notice", "role", "note");
    }
    body.open("nav", "aria-label", "Pages").open("ul", "class", "menu");
    menu.forEach((to, name) -> {
      body.open("li");
      String href = to.isEmpty() ? "./" : to;
      if (to.equals(path)) {
        body.element("a", name, "href", href, "aria-current", "page");
      } else {
        body.element("a", name, "href", href);
      }
      body.close("li");
    });
    body.close("ul")
        .close("nav")
        .element("h1", title)
        .element(
            "p",
            "Cluster %s · Probelet %s".formatted(fleet.get().server(), BuildInfo.version()),
            "class",
            "quiet")
        .close("header")
        .add(content);
    return new Page(
            title + (notice.isEmpty() ? " – Probelet" : " – Probelet demo"),
            List.of("page.css", "fleet.css", "timeline.css"),
            List.of("page.js"),
            body)
        .answer(200);
  }
}
