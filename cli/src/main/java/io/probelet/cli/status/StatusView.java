package io.probelet.cli.status;

import io.probelet.cli.status.AgentClient.Reply;
import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.FullScreen;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.health.TimeSource;
import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.ManifestsView;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.NodeView.Source;
import java.io.PrintWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What {@code status} puts on the screen, once or again and again. */
sealed interface StatusView {
  /** How many past outcomes of each probe this view wants to know. */
  int history();

  /** Shows what an agent answered. */
  void show(Reply reply);

  /** Shows why there was no answer. */
  void missing(String why);

  /** The JSON as it came, one document after another. */
  record Json(PrintWriter out, PrintWriter err) implements StatusView {
    @Override
    public int history() {
      return 0;
    }

    @Override
    public void show(Reply reply) {
      out.println(reply.json().strip());
      out.flush();
      reply
          .manifests()
          .invalid()
          .forEach(file -> err.println("invalid manifest: " + Terminal.line(file.text())));
      err.flush();
    }

    @Override
    public void missing(String why) {
      err.println(why);
      err.flush();
    }
  }

  /** A table that takes the place of the one before. */
  record Screen(FullScreen screen, Colours colours, TimeSource time) implements StatusView {
    @Override
    public int history() {
      return 1;
    }

    @Override
    public void show(Reply reply) {
      screen.show(StatusLayout.lines(reply, screen.room(), time.wallTime(), colours));
    }

    @Override
    public void missing(String why) {
      screen.show(List.of(why));
    }
  }

  /** The table, then a row whenever something about a container changed. */
  final class Lines implements StatusView {
    private final PrintWriter out;
    private final PrintWriter err;
    private final TimeSource time;
    private final Map<String, List<String>> shown = new HashMap<>();
    private final Map<String, ConditionView> saidOfNode = new HashMap<>();
    private final Colours colours;
    private final StatusTable table;
    private List<String> unavailable = List.of();
    private ManifestsView manifests = ManifestsView.VALID;
    private String complaint = "";

    Lines(PrintWriter out, PrintWriter err, TimeSource time, Colours colours) {
      this.out = out;
      this.err = err;
      this.time = time;
      this.colours = colours;
      table = new StatusTable(colours);
    }

    @Override
    public int history() {
      return 1;
    }

    @Override
    public void show(Reply reply) {
      complaint = "";
      showManifests(reply.manifests());
      table.widenFor(reply.containers());
      if (reply.containers().isEmpty() && shown.isEmpty()) {
        out.println("No containers.");
      }
      for (ContainerView container : ContainerHealth.worstFirst(reply.containers())) {
        if (shown.isEmpty()) {
          out.println(table.header());
        }
        List<String> facts = StatusTable.facts(container);
        if (!facts.equals(shown.put(key(container), facts))) {
          table.rows(container, time.wallTime()).forEach(out::println);
        }
      }
      showNode(reply.conditions());
      showUnavailable(reply.unavailable());
      out.flush();
    }

    /** All invalid manifests whenever they are others than before, above the containers. */
    private void showManifests(ManifestsView now) {
      if (now.total() > 0 && !now.equals(manifests)) {
        InvalidManifestTable.lines(now, colours).forEach(out::println);
        out.println();
      } else if (now.total() == 0 && manifests.total() > 0) {
        out.println("All manifests are valid.");
      }
      manifests = now;
    }

    /** Conditions that changed, below the containers. */
    private void showNode(List<ConditionView> conditions) {
      List<ConditionView> news =
          conditions.stream()
              .filter(condition -> {
                ConditionView said = condition.withoutPast();
                return !said.equals(saidOfNode.put(condition.type(), said));
              })
              .toList();
      if (!news.isEmpty()) {
        out.println();
        ConditionTable.lines(news, time.wallTime(), colours).forEach(out::println);
      }
    }

    /** What is not among the conditions because it cannot be observed, all of it if it changed. */
    private void showUnavailable(List<Source> sources) {
      List<String> names = sources.stream().map(Source::name).toList();
      if (!names.isEmpty() && !names.equals(unavailable)) {
        out.println();
        UnavailableTable.lines(sources, colours).forEach(out::println);
      }
      unavailable = names;
    }

    @Override
    public void missing(String why) {
      if (!why.equals(complaint)) {
        complaint = why;
        err.println(why);
        err.flush();
      }
    }

    private static String key(ContainerView container) {
      return container.namespace() + "/" + container.pod() + "/" + container.container();
    }
  }
}
