package io.probelet.web.http;

import io.probelet.health.TimeSource;
import io.probelet.kube.MaintenanceNote;
import io.probelet.monitor.node.NodeSnapshot;
import io.probelet.web.api.AgentView;
import io.probelet.web.api.NodeView;
import io.probelet.web.api.NodeView.EventView;
import io.probelet.web.api.NodeView.Source;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Asks for the node and for the agent itself, as both are shown. */
public final class WatchedNode {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_FILES = 20;

  private final Supplier<CompletableFuture<NodeSnapshot>> node;
  private final Itself agent;
  private final TimeSource time;
  private volatile Supplier<List<EventView>> events = List::of;
  private volatile Supplier<List<Source>> monitors = List::of;
  private volatile Supplier<Optional<MaintenanceNote>> maintenance = Optional::empty;

  /** The agent itself. */
  @FunctionalInterface
  public interface Itself {
    /**
     * {@return how it is doing; may block for less than a second}
     *
     * @throws InterruptedException if the thread was interrupted
     */
    AgentView view() throws InterruptedException;
  }

  /**
   * Creates a reader of them.
   *
   * @param node asked at each call
   * @param agent asked at each call
   */
  public WatchedNode(
      Supplier<CompletableFuture<NodeSnapshot>> node, Itself agent, TimeSource time) {
    this.node = node;
    this.agent = agent;
    this.time = time;
  }

  /**
   * Shows what others than the node's monitors noticed, too.
   *
   * @param others asked at each call
   */
  public void showEvents(Supplier<List<EventView>> others) {
    events = others;
  }

  /**
   * Shows monitor files that are not used, among what cannot be observed.
   *
   * @param files asked at each call
   */
  public void showMonitors(Supplier<List<Source>> files) {
    monitors = files;
  }

  /**
   * Shows the maintenance that the node is in.
   *
   * @param note asked at each call
   */
  public void showMaintenance(Supplier<Optional<MaintenanceNote>> note) {
    maintenance = note;
  }

  /**
   * {@return the node, and the agent itself}
   *
   * @param history how many past changes of each condition are wanted; 0 leaves the field out
   * @throws TimeoutException if the monitor does not answer within 5 s
   * @throws InterruptedException if the thread was interrupted
   * @throws ExecutionException if it could not answer
   */
  public NodeView view(int history)
      throws TimeoutException, InterruptedException, ExecutionException {
    try {
      NodeSnapshot now = time.threads().get(node.get(), TIMEOUT);
      return NodeView.of(now, history, time.wallTime())
          .with(events.get())
          .withSources(monitors.get().stream().limit(MAX_FILES).toList())
          .with(agent.view())
          .with(maintenance.get());
    } catch (TimeoutException silent) {
      throw new TimeoutException(
          "the node monitor did not answer within " + TIMEOUT.toSeconds() + "s");
    }
  }
}
