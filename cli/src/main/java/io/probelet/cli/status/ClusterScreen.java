package io.probelet.cli.status;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.probelet.cli.option.FleetOptions;
import io.probelet.cli.option.FleetOptions.Fleet;
import io.probelet.fleet.ClusterStatus;
import io.probelet.fleet.FleetContainers;
import io.probelet.fleet.FleetView;
import io.probelet.fleet.terminal.FullScreen;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.health.FailureReason;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;

/** Shows a whole cluster, once or with {@code --watch}. */
final class ClusterScreen {
  private static final int UNREADABLE = 2;
  private final PrintWriter out;
  private final PrintWriter err;
  private final Terminal terminal;
  private final boolean watch;
  private final boolean json;
  private final boolean containers;

  ClusterScreen(
      CommandSpec spec, Terminal terminal, boolean watch, boolean json, boolean containers) {
    this.containers = containers;
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
        RefreshLoop.run(() -> show(fleet.reader().view(), status, screen));
      } else {
        print(view, containers ? FleetContainers.ask(view, fleet.agent()::containers) : null);
      }
      return ClusterStatus.exitCode(view);
    } catch (IOException | IllegalArgumentException | KubernetesClientException unable) {
      err.println("probelet status: " + FailureReason.withFile(unable));
      err.flush();
      return UNREADABLE;
    }
  }

  private void show(FleetView view, ClusterStatus status, @Nullable FullScreen screen) {
    if (screen != null) {
      screen.show(ClusterStatus.lines(view, terminal.colours()));
    } else if (status.isNews(view)) {
      print(view, null);
    }
  }

  private void print(FleetView view, @Nullable FleetContainers unhealthy) {
    if (json) {
      ClusterStatus.writeJson(view, unhealthy, out);
    } else {
      ClusterStatus.lines(view, terminal.colours()).forEach(out::println);
      if (unhealthy == null) {
        out.println();
        out.println(
            "Containers are not checked; add --containers to ask the agents for unhealthy ones.");
      } else {
        ClusterStatus.lines(unhealthy, terminal.colours()).forEach(out::println);
      }
      out.flush();
    }
  }
}
