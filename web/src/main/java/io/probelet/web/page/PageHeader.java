package io.probelet.web.page;

import java.util.Optional;

/**
 * What all pages of an agent begin with: where it runs, its version, and links.
 *
 * @param node name of the node; empty where there is none, as with {@code probelet run}
 * @param version of the program
 */
public record PageHeader(Optional<String> node, String version) {
  /** {@return the name for a title: the node's, or the program's} */
  public String name() {
    return node.map(name -> "Node " + name).orElse("Local pods");
  }

  /**
   * Draws the header.
   *
   * @param heading the page's heading
   * @return one element
   */
  public Html html(String heading) {
    return new Html()
        .open("header", "class", "top")
        .open("nav", "aria-label", "Pages")
        .open("ul", "class", "menu")
        .add(link("Containers", "./"))
        .add(link("Events (JSON)", "api/v1/events"))
        .add(link("Metrics", "metrics"))
        .add(link("Readiness", "readyz?verbose"))
        .close("ul")
        .close("nav")
        .element("h1", heading)
        .open("p", "class", "quiet")
        .text(node.isEmpty() ? "" : name() + " · ")
        .text("Probelet " + version)
        .close("p")
        .close("header");
  }

  private static Html link(String name, String to) {
    return new Html().open("li").element("a", name, "href", to).close("li");
  }
}
