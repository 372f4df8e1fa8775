package io.probelet.fleet;

import io.probelet.fleet.terminal.Colours;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The output and exit code of {@code probelet status --cluster}. */
public final class ClusterStatus {
  private static final int WELL = 0;
  private static final int NOT_WELL = 1;
  private static final int UNREADABLE = 2;
  private static final Duration READ_LIMIT = Duration.ofSeconds(60);

  private final FleetReader reader;
  private @Nullable Shown shown;

  /** What was asked about last. */
  private record Shown(FleetView view, @Nullable FleetContainers containers) {}

  /**
   * Begins to show a cluster.
   *
   * @param reader follows the cluster; closed by its creator
   */
  public ClusterStatus(FleetReader reader) {
    this.reader = reader;
  }

  /**
   * Waits until the cluster has been read once, for at most a minute. The view then names what is
   * missing.
   *
   * @throws InterruptedException if the caller is interrupted meanwhile
   */
  public FleetView read() throws InterruptedException {
    var _ = reader.awaitRead(READ_LIMIT);
    return reader.view();
  }

  /**
   * {@return whether a view shows anything else than the one that was asked about last, but for
   * times that run by themselves}
   *
   * @param containers its unhealthy containers; null while they are not known
   */
  public boolean isNews(FleetView view, @Nullable FleetContainers containers) {
    Shown still = new Shown(still(view), containers);
    boolean news = !still.equals(shown);
    shown = still;
    return news;
  }

  private static FleetView still(FleetView view) {
    return new FleetView(
        Instant.EPOCH,
        view.server(),
        view.nodes(),
        view.waits(),
        view.remediations(),
        view.checks(),
        view.policies(),
        view.leaders().stream().map(FleetLeader::withoutTime).toList(),
        view.clusterHealth(),
        view.events(),
        view.past(),
        view.absent(),
        view.gaps());
  }

  /**
   * {@return a view as lines for people, without anything that moves a terminal's cursor}
   *
   * @param containers the unhealthy containers of its nodes, for the first line; null while they
   *     are not known
   */
  public static List<String> lines(
      FleetView view, @Nullable FleetContainers containers, Colours colours) {
    return new FleetTable(view, containers, colours).lines();
  }

  /**
   * {@return the unhealthy containers of its nodes as such lines}
   *
   * @param all whether all are listed; else the first 20
   */
  public static List<String> lines(FleetContainers containers, boolean all, Colours colours) {
    return ContainersTable.lines(containers, all, colours);
  }

  /**
   * Writes a view as JSON on one line.
   *
   * @param containers the unhealthy containers of its nodes; null while they are not known
   */
  public static void writeJson(
      FleetView view, @Nullable FleetContainers containers, PrintWriter out) {
    try {
      FleetJson.write(view, containers, out);
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /**
   * {@return 0 if healthy; 1 if degraded; 2 if unknown, because something essential or no node
   * could be read}
   */
  public static int exitCode(FleetView view) {
    boolean blind =
        view.nodes().isEmpty() && view.gaps().stream().anyMatch(gap -> gap.what().equals("Nodes"));
    return switch (view.verdict()) {
      case WELL -> WELL;
      case NOT_WELL -> blind ? UNREADABLE : NOT_WELL;
      case UNKNOWN -> UNREADABLE;
    };
  }
}
