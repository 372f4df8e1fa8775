package io.probelet.cli.status;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.cli.option.FleetOptions;
import io.probelet.cli.option.FleetOptions.Fleet;
import io.probelet.fleet.ClusterStatus;
import io.probelet.fleet.FleetContainers;
import io.probelet.fleet.FleetContainers.Extent;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.RecentContainers;
import io.probelet.fleet.RecentContainers.Round;
import io.probelet.fleet.terminal.FullScreen;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Shows a whole cluster, once or with {@code --watch}. */
final class ClusterScreen {
  private static final int UNREADABLE = 2;
  private static final int MAX_MISSING = 240;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Terminal terminal;
  private final boolean watch;
  private final boolean json;
  private final boolean all;

  /**
   * Creates one that has shown nothing.
   *
   * @param all whether all unhealthy containers are listed, and not only the worst
   */
  ClusterScreen(CommandSpec spec, Terminal terminal, boolean watch, boolean json, boolean all) {
    this.all = all;
    this.terminal = terminal;
    this.out = spec.commandLine().getOut();
    this.err = spec.commandLine().getErr();
    this.watch = watch;
    this.json = json;
  }

  /** {@return the exit code} */
  int show(FleetOptions options) throws InterruptedException {
    try (Fleet fleet = options.open()) {
      ClusterStatus status = new ClusterStatus(fleet.reader());
      FleetView view = status.read();
      if (watch) {
        FullScreen screen = !json && terminal.interactive() ? terminal.fullScreen(out) : null;
        RecentContainers recent =
            new RecentContainers(
                fleet.reader()::view,
                fleet.agent()::containers,
                round -> Thread.ofVirtual().name("fleet-containers").start(round),
                SystemClock.INSTANCE);
        RefreshLoop.run(() -> show(fleet.reader().view(), recent.latest(), status, screen));
      } else {
        Extent extent = all ? Extent.ALL : Extent.WORST;
        print(view, Optional.of(FleetContainers.ask(view, fleet.agent()::containers, extent)), "");
      }
      return ClusterStatus.exitCode(view);
    } catch (IOException | IllegalArgumentException | KubernetesClientException unable) {
      err.println("probelet status: " + FailureReason.withFile(unable));
      err.flush();
      return UNREADABLE;
    }
  }

  private void show(
      FleetView view, Optional<Round> round, ClusterStatus status, @Nullable FullScreen screen) {
    Optional<FleetContainers> unhealthy = round.flatMap(Round::answer);
    String missing =
        round
            .map(asked -> "Unhealthy containers are unknown: " + asked.failure())
            .orElse("Asking the agents for unhealthy containers …");
    if (screen != null) {
      screen.show(lines(view, unhealthy, missing));
    } else if (status.isNews(view, unhealthy.orElse(null))) {
      print(view, unhealthy, missing);
    }
  }

  private void print(FleetView view, Optional<FleetContainers> unhealthy, String missing) {
    if (json) {
      ClusterStatus.writeJson(view, unhealthy.orElse(null), out);
    } else {
      lines(view, unhealthy, missing).forEach(out::println);
      out.flush();
    }
  }

  private List<String> lines(FleetView view, Optional<FleetContainers> unhealthy, String missing) {
    List<String> lines =
        new ArrayList<>(ClusterStatus.lines(view, unhealthy.orElse(null), terminal.colours()));
    lines.addAll(
        unhealthy
            .map(containers -> ClusterStatus.lines(containers, all, terminal.colours()))
            .orElseGet(() -> List.of("", Terminal.line(missing, MAX_MISSING))));
    return lines;
  }
}
