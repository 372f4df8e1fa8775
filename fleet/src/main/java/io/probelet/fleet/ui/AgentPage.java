package io.probelet.fleet.ui;

import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import io.probelet.web.http.Resource;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageQuery;
import io.probelet.web.page.node.ContainerFilter;
import io.probelet.web.page.node.ContainerFragments;
import io.probelet.web.page.node.NodeSection;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * What the agent of one node sees, asked when the page is loaded. The answer may be an intruder's:
 * it is read as JSON and drawn here, and what no agent answers is not drawn.
 */
public final class AgentPage implements Resource {
  private static final int MAX_CONTAINERS = 500;

  /** A container has three; a probe of several handlers is one. */
  private static final int MAX_PROBES = 8;

  private final Agents agents;
  private final UiPage page;

  /** Asks single agents. Both methods may block and are called by several at once. */
  public interface Agents {
    /** {@return the node as its agent sees it} */
    NodeView node(String node) throws IOException, InterruptedException;

    /**
     * {@return the containers of a node}
     *
     * @param history how many past outcomes of each probe are wanted
     */
    List<ContainerView> containers(String node, int history)
        throws IOException, InterruptedException;
  }

  /**
   * Creates the page.
   *
   * @param agents asked at each request
   */
  AgentPage(Agents agents, UiPage page) {
    this.agents = agents;
    this.page = page;
  }

  @Override
  public Answer get(Map<String, List<String>> query) throws Exception {
    String name = FleetNodePage.name(new PageQuery(query));
    Html body =
        new Html()
            .open("main")
            .open("p")
            .text("Of node ")
            .add(FleetWords.node(name))
            .text(", as it answered just now; load the page again for what is new.")
            .close("p");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // Together, as each may take most of the time that there is for an answer.
      Future<NodeView> node = threads.submit(() -> agents.node(name));
      Future<List<ContainerView>> containers =
          threads.submit(() -> agents.containers(name, ContainerView.MAX_HISTORY));
      body.element("h2", "Containers");
      try {
        containers(body, containers.get());
      } catch (ExecutionException failed) {
        failed(body, failed);
      }
      body.element("h2", "The node");
      try {
        node(body, node.get(), page.time().wallTime());
      } catch (ExecutionException failed) {
        failed(body, failed);
      }
    }
    return page.document("agent", "Agent of " + name, body.close("main"));
  }

  private static void failed(Html body, ExecutionException failed) {
    Throwable cause = failed.getCause();
    String why = String.valueOf(cause == null ? failed : cause.getMessage());
    body.open("p")
        .add(new FleetWords.Shown("?", "unknown", "It cannot be asked:").html())
        .text(" " + why)
        .close("p");
  }

  private void containers(Html body, List<ContainerView> all) {
    if (all.stream().anyMatch(container -> container.probes().size() > MAX_PROBES)) {
      body.element("p", "It answers containers with more than 8 probes, which no agent does.");
      return;
    }
    List<ContainerView> sorted = ContainerHealth.worstFirst(all);
    List<ContainerView> some = sorted.subList(0, Math.min(all.size(), MAX_CONTAINERS));
    ContainerFragments list =
        new ContainerFragments(some, ContainerFilter.ALL, "", page.time().wallTime());
    body.add(list.summary().html().get());
    for (Fragment each : list.list(new Complete())) {
      body.add(each.html().get());
    }
    String more = ContainerHealth.more(sorted.subList(some.size(), sorted.size()));
    if (!more.isEmpty()) {
      body.element("p", more);
    }
  }

  /** All histories came with the answer. */
  private static final class Complete implements ContainerFragments.Histories {
    @Override
    public void announce(ContainerView container) {}

    @Override
    public ContainerView of(ContainerView container) {
      return container;
    }
  }

  private static void node(Html body, NodeView node, Instant now) {
    if (node.conditions().isEmpty()) {
      body.element("p", "Nobody watches the node.");
    }
    NodeSection.of(node, now).forEach(each -> body.add(each.html().get()));
  }
}
