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

/** How {@code status} prints answers: once, or repeatedly with {@code --watch}. */
sealed interface StatusView {
  /** How many past outcomes of each probe this view needs. */
  int history();

  /** Shows the selected part of an agent's answer. */
  void show(Reply selected);

  /** Shows why there was no answer. */
  void missing(String why);

  /** The agent's JSON, one document after another. */
  record Json(PrintWriter out, PrintWriter err, StatusFilter filter) implements StatusView {
    @Override
    public int history() {
      return filter.unhealthyOnly() ? 1 : 0;
    }

    @Override
    public void show(Reply selected) {
      out.println(filter.listed(selected).json().strip());
      out.flush();
      selected
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

  /** A full screen, refreshed in place. */
  record Screen(FullScreen screen, Terminal terminal, TimeSource time, StatusFilter filter)
      implements StatusView {
    @Override
    public int history() {
      return 1;
    }

    @Override
    public void show(Reply selected) {
      screen.show(
          StatusLayout.lines(
              StatusFilter.summary(selected),
              filter.listed(selected),
              screen.room(),
              terminal.columns(),
              time.wallTime(),
              terminal.colours()));
    }

    @Override
    public void missing(String why) {
      screen.show(Terminal.wrapped("", why, terminal.columns()));
    }
  }

  /** The table, then a row for each container that changes. */
  final class Lines implements StatusView {
    private final PrintWriter out;
    private final PrintWriter err;
    private final TimeSource time;
    private final Map<String, List<String>> shown = new HashMap<>();
    private final Map<String, ConditionView> conditions = new HashMap<>();
    private final Colours colours;
    private final int columns;
    private final StatusFilter filter;
    private final StatusTable table;
    private String summary = "";
    private List<String> unavailable = List.of();
    private ManifestsView manifests = ManifestsView.VALID;
    private String complaint = "";

    Lines(
        PrintWriter out, PrintWriter err, TimeSource time, Terminal terminal, StatusFilter filter) {
      this.out = out;
      this.err = err;
      this.time = time;
      this.colours = terminal.colours();
      this.columns = terminal.columns();
      this.filter = filter;
      table = new StatusTable(colours, columns);
    }

    @Override
    public int history() {
      return 1;
    }

    @Override
    public void show(Reply selected) {
      complaint = "";
      showSummary(StatusFilter.summary(selected));
      Reply reply = filter.listed(selected);
      showManifests(reply.manifests());
      table.widenFor(reply.containers());
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

    /** One line, whenever it changes. */
    private void showSummary(String now) {
      if (!now.equals(summary)) {
        out.println(now);
        if (summary.isEmpty()) {
          out.println();
        }
      }
      summary = now;
    }

    /** All invalid manifests, whenever one changes. */
    private void showManifests(ManifestsView now) {
      if (now.total() > 0 && !now.equals(manifests)) {
        InvalidManifestTable.lines(now, colours, columns).forEach(out::println);
        out.println();
      } else if (now.total() == 0 && manifests.total() > 0) {
        out.println("All manifests are valid.");
      }
      manifests = now;
    }

    /** Conditions that changed, below the containers. */
    private void showNode(List<ConditionView> all) {
      List<ConditionView> changed =
          all.stream()
              .filter(condition -> {
                ConditionView present = condition.withoutPast();
                return !present.equals(conditions.put(condition.type(), present));
              })
              .toList();
      if (!changed.isEmpty()) {
        if (!shown.isEmpty()) {
          out.println();
        }
        ConditionTable.lines(changed, time.wallTime(), colours, columns).forEach(out::println);
      }
    }

    /** All unavailable monitors and checks, whenever one changes. */
    private void showUnavailable(List<Source> sources) {
      List<String> names = sources.stream().map(Source::name).toList();
      if (!names.isEmpty() && !names.equals(unavailable)) {
        out.println();
        UnavailableTable.lines(sources, colours, columns).forEach(out::println);
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
