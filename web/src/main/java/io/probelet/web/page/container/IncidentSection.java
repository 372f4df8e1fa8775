package io.probelet.web.page.container;

import io.probelet.web.incident.ExplainedIncident;
import io.probelet.web.page.Ago;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import java.time.Instant;
import java.util.List;

/** Draws what happened to a container and why, the newest first. */
final class IncidentSection {
  private static final int MAX_SHOWN = 5;
  private static final String ID = "why";

  private IncidentSection() {}

  /** {@return the section; empty if nothing happened} */
  static Fragment of(List<ExplainedIncident> incidents, Instant now) {
    return new Fragment(ID, incidents, () -> section(incidents, now));
  }

  private static Html section(List<ExplainedIncident> incidents, Instant now) {
    Html html = new Html().open("section", "id", ID);
    if (incidents.isEmpty()) {
      return html.close("section");
    }
    html.element("h2", "Why");
    ExplainedIncident newest = incidents.getFirst();
    html.open("p").element("strong", newest.cause().text()).close("p");
    html.open("p", "class", "quiet");
    html.add(Ago.of(newest.incident().time(), now));
    html.text(" · confidence: " + newest.cause().confidence().label());
    html.text(newest.pattern().isEmpty() ? "" : " · " + newest.pattern());
    html.close("p");
    if (!newest.cause().evidence().isEmpty()) {
      html.open("ul");
      newest.cause().evidence().forEach(fact -> html.element("li", fact));
      html.close("ul");
    }
    if (incidents.size() > 1) {
      html.open("details").element("summary", "Earlier: " + (incidents.size() - 1)).open("ul");
      for (ExplainedIncident earlier : incidents.stream().skip(1).limit(MAX_SHOWN).toList()) {
        html.open("li").add(Ago.of(earlier.incident().time(), now));
        html.text(": " + earlier.cause().sentence()).close("li");
      }
      html.close("ul").close("details");
    }
    return html.close("section");
  }
}
