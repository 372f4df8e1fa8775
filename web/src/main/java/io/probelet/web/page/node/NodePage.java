package io.probelet.web.page.node;

import io.probelet.health.TimeSource;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import io.probelet.web.http.AnswerFailure;
import io.probelet.web.http.Containers;
import io.probelet.web.http.Resource;
import io.probelet.web.http.WatchedNode;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.LiveStream;
import io.probelet.web.page.Page;
import io.probelet.web.page.PageHeader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /}: a verdict in one line, then what is broken, then the node's containers, the node and
 * the agent itself. Kept up to date by {@link #live}, or by loading it again where there are no
 * scripts.
 */
public final class NodePage implements Resource {
  private static final Logger LOG = LoggerFactory.getLogger(NodePage.class);
  private final Containers containers;
  private final WatchedNode node;
  private final PageHeader header;
  private final TimeSource time;

  /**
   * Creates the page.
   *
   * @param containers read at each request
   * @param node asked at each request
   * @param header of the page
   */
  public NodePage(Containers containers, WatchedNode node, PageHeader header, TimeSource time) {
    this.containers = containers;
    this.node = node;
    this.header = header;
    this.time = time;
  }

  /** {@return what keeps the page up to date, to be served beside it as {@code live}} */
  public LiveStream live() {
    return new LiveStream(query -> fragments(ContainerFilter.of(query), time.wallTime()), time);
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    ContainerFilter filter = ContainerFilter.of(query);
    Instant now = time.wallTime();
    Html body = header.html(header.name()).add(filterForm(filter));
    return new Page(header.name() + " · Probelet", List.of("page.css"), List.of("page.js"), body)
        .live(200, filter.link("live"), fragments(filter, now), now, links());
  }

  private List<Fragment> fragments(ContainerFilter filter, Instant now) throws Exception {
    List<ContainerView> views = containers.views(1);
    ContainerFragments list = new ContainerFragments(views, filter, "container", now);
    List<Fragment> all = new ArrayList<>();
    List<Fragment> rest = new ArrayList<>();
    try {
      NodeView view = node.view(NodeView.MAX_HISTORY);
      all.add(VerdictFragment.of(views, view));
      all.addAll(NodeSection.pressing(view, now));
      rest.addAll(NodeSection.rest(view, now));
    } catch (TimeoutException | ExecutionException silent) {
      LOG.debug("state of the node is missing", silent);
      all.add(VerdictFragment.of(views, null));
      all.add(NodeSection.missing(AnswerFailure.of(silent)));
    }
    all.add(
        new Fragment(
            "containers", "", () -> new Html().element("h2", "Containers", "id", "containers")));
    all.add(list.summary());
    all.addAll(list.list(new EngineHistories(containers)));
    all.addAll(rest);
    return all;
  }

  private static Html filterForm(ContainerFilter filter) {
    Html form =
        new Html()
            .open("form", "class", "filter", "role", "search", "data-filter", "", "action", "./")
            .open("label")
            .text("Search")
            .empty(
                "input",
                "type",
                "search",
                "name",
                "q",
                "maxlength",
                "100",
                "placeholder",
                "namespace, pod, state …",
                "value",
                filter.search())
            .close("label")
            .open("label")
            .text("Show")
            .open("select", "name", "show");
    return form.option("all", "all containers", !filter.unwell())
        .option("unwell", "unhealthy only", filter.unwell())
        .close("select")
        .close("label")
        .element("button", "Apply")
        .close("form");
  }

  private static Html links() {
    return new Html()
        .open("footer", "class", "quiet")
        .element("a", "containers as JSON", "href", "api/v1/containers?history=true")
        .text(" · ")
        .element("a", "node as JSON", "href", "api/v1/node?history=true")
        .close("footer");
  }
}
