package io.probelet.web.page.container;

import io.probelet.health.TimeSource;
import io.probelet.web.explain.ExplainView;
import io.probelet.web.explain.Explanations;
import io.probelet.web.http.ContainerChoice;
import io.probelet.web.http.Resource;
import io.probelet.web.incident.ExplainedIncident;
import io.probelet.web.incident.Incidents;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.LiveStream;
import io.probelet.web.page.Page;
import io.probelet.web.page.PageHeader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * {@code /container?pod=NAMESPACE/NAME&container=NAME}: all that is known of one container. Kept up
 * to date by {@link #live}.
 */
public final class ContainerPage implements Resource {
  private static final int NOT_FOUND = 404;

  private final Explanations explanations;
  private final Incidents incidents;
  private final PageHeader header;
  private final TimeSource time;

  /**
   * Creates the page.
   *
   * @param explanations asked at each request
   * @param incidents what happened to the container; asked at each request
   * @param header of the page
   */
  public ContainerPage(
      Explanations explanations, Incidents incidents, PageHeader header, TimeSource time) {
    this.explanations = explanations;
    this.incidents = incidents;
    this.header = header;
    this.time = time;
  }

  /** {@return what keeps it up to date, to be served beside it as {@code container-live}} */
  public LiveStream live() {
    return new LiveStream(query -> fragments(choice(query), time.wallTime()), time);
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    ContainerChoice choice = choice(query);
    Instant now = time.wallTime();
    String name = choice.namespace() + "/" + choice.pod() + " " + choice.container();
    Html body = header.html(name);
    Page page = new Page(name + " · Probelet", List.of("page.css"), List.of("page.js"), body);
    List<Fragment> fragments = fragments(choice, now);
    String parameters = choice.parameters();
    return page.live(
        fragments.isEmpty() ? NOT_FOUND : 200,
        "container-live" + parameters,
        fragments.isEmpty() ? List.of(nothing()) : fragments,
        now,
        new Html()
            .open("footer", "class", "quiet")
            .element("a", "JSON", "href", "api/v1/explain" + parameters)
            .close("footer"));
  }

  private static ContainerChoice choice(Map<String, List<String>> query) throws BadRequest {
    ContainerChoice choice = ContainerChoice.of(query);
    if (choice.pod().isEmpty() || choice.container().isEmpty()) {
      throw new BadRequest("container is missing; use pod=NAMESPACE/NAME&container=NAME");
    }
    return choice;
  }

  private static Fragment nothing() {
    return new Fragment(
        "nothing",
        "",
        () -> new Html().element("p", "This agent probes no such container.", "id", "nothing"));
  }

  private List<Fragment> fragments(ContainerChoice choice, Instant now) throws Exception {
    List<Fragment> fragments = new ArrayList<>();
    for (ExplainView view : explanations.of(choice)) {
      fragments.addAll(new ContainerSections(view, now).list(fragments.size()));
    }
    if (!fragments.isEmpty()) {
      List<ExplainedIncident> past =
          incidents.explained(choice.namespace(), choice.pod(), choice.container());
      fragments.add(1, IncidentSection.of(past, now));
    }
    return fragments;
  }
}
