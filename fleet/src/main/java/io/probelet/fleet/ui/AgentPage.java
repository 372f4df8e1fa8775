package io.probelet.fleet.ui;

import io.probelet.fleet.FleetAgent;
import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView;
import io.probelet.web.http.AnswerFailure;
import io.probelet.web.http.Resource;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageQuery;
import io.probelet.web.page.node.ContainerFilter;
import io.probelet.web.page.node.ContainerFragments;
import io.probelet.web.page.node.NodeSection;
import io.probelet.web.page.node.VerdictFragment;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Containers and conditions of one node as its agent answers when the page is loaded. The node may
 * be compromised: the answer is read as JSON within limits, and implausible ones are not drawn.
 */
public final class AgentPage implements Resource {
  private static final Logger LOG = LoggerFactory.getLogger(AgentPage.class);
  private static final int MAX_CONTAINERS = 500;

  /** Containers have at most three. */
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
            .text("Node ")
            .add(FleetWords.node(name))
            .text(", asked just now. Load the page again to refresh.")
            .close("p");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      // Together, as each may take most of the time that there is for an answer.
      Future<NodeView> node = threads.submit(() -> agents.node(name));
      Future<List<ContainerView>> containers =
          threads.submit(() -> agents.containers(name, ContainerView.MAX_HISTORY));
      Html below = new Html().element("h2", "Containers");
      if (isTooLarge(containers)) { // some pods have too many probes, or say too much
        containers = threads.submit(() -> agents.containers(name, 1));
        below.element(
            "p", "The probes' histories together are too large: shows only the newest outcomes.");
      }
      List<ContainerView> all = null;
      try {
        all = containers.get();
        containers(below, all);
      } catch (ExecutionException failed) {
        failed(below, failed);
      }
      below.element("h2", "Node");
      NodeView view = null;
      try {
        view = node.get();
        node(below, view, page.time().wallTime());
      } catch (ExecutionException failed) {
        failed(below, failed);
      }
      if (all != null) {
        body.add(VerdictFragment.of(all, view).html().get());
      }
      body.add(below);
    }
    return page.document("agent", "Agent of " + name, body.close("main"));
  }

  private static boolean isTooLarge(Future<?> answer) throws InterruptedException {
    try {
      answer.get();
      return false;
    } catch (ExecutionException failed) {
      return failed.getCause() instanceof FleetAgent.RefusedException;
    }
  }

  private static void failed(Html body, ExecutionException failed) {
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    if (!(cause instanceof IOException)) {
      LOG.error("internal error while asking an agent", cause);
    }
    body.open("p")
        .add(new FleetWords.Shown("?", "unknown", "No answer:").html())
        .text(" " + AnswerFailure.of(cause))
        .close("p");
  }

  private void containers(Html body, List<ContainerView> all) {
    if (all.stream().anyMatch(container -> container.probes().size() > MAX_PROBES)) {
      body.element("p", "Unexpected response: containers with more than 8 probes.");
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
      body.element("p", "The node is not watched.");
    }
    NodeSection.of(node, now).forEach(each -> body.add(each.html().get()));
  }
}
