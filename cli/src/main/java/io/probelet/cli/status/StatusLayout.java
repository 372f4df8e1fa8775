package io.probelet.cli.status;

import io.probelet.cli.status.AgentClient.Reply;
import io.probelet.fleet.terminal.Colours;
import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.ContainerView;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * An agent's answer as lines that fit a terminal: invalid manifests, the worst containers, then the
 * node. Where there is no room for all, what is left out is counted by how bad it is.
 */
final class StatusLayout {
  /** The header, one container with its cause, and what is left out. */
  private static final int LEAST_FOR_CONTAINERS = 4;

  private StatusLayout() {}

  /**
   * {@return the lines, as many as there is room for}
   *
   * @param room how many lines there may be
   */
  static List<String> lines(Reply reply, int room, Instant now, Colours colours) {
    List<String> lines = new ArrayList<>(manifests(reply, room / 4, colours));
    lines.addAll(state(reply, room - lines.size(), now, colours));
    return lines;
  }

  private static List<String> manifests(Reply reply, int room, Colours colours) {
    if (reply.manifests().total() == 0) {
      return List.of();
    }
    List<String> lines = InvalidManifestTable.lines(reply.manifests(), colours);
    List<String> shown = new ArrayList<>(lines);
    if (lines.size() > Math.max(2, room)) {
      int rows = Math.max(1, room - 2); // beside the header and the count
      shown = new ArrayList<>(lines.subList(0, 1 + rows));
      shown.add("… and " + (reply.manifests().total() - rows) + " more invalid manifests");
    }
    shown.add("");
    return shown;
  }

  private static List<String> state(Reply reply, int room, Instant now, Colours colours) {
    List<List<String>> containers = containers(reply, now, colours);
    List<String> all = new ArrayList<>();
    containers.forEach(all::addAll);
    all.addAll(node(reply, now, colours));
    if (all.size() <= room) {
      return all;
    }
    List<String> node = problems(reply, room - LEAST_FOR_CONTAINERS, now, colours);
    List<String> lines = new ArrayList<>();
    int shown = 0;
    for (List<String> container : containers) {
      if (lines.size() + container.size() + 1 > room - node.size()) { // one says what is left out
        break;
      }
      lines.addAll(container);
      shown++;
    }
    List<ContainerView> sorted = ContainerHealth.worstFirst(reply.containers());
    if (!sorted.isEmpty()) {
      String more = ContainerHealth.more(sorted.subList(Math.max(0, shown - 1), sorted.size()));
      lines.add(more.isEmpty() ? "" : "… " + more);
    }
    lines.addAll(node);
    return lines;
  }

  /** The header, then the rows of each container. */
  private static List<List<String>> containers(Reply reply, Instant now, Colours colours) {
    if (reply.containers().isEmpty()) {
      return List.of(List.of("No containers."));
    }
    StatusTable table = new StatusTable(colours);
    table.widenFor(reply.containers());
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of(table.header()));
    ContainerHealth.worstFirst(reply.containers())
        .forEach(container -> lines.add(table.rows(container, now)));
    return lines;
  }

  private static List<String> node(Reply reply, Instant now, Colours colours) {
    List<String> lines = new ArrayList<>();
    if (!reply.conditions().isEmpty()) {
      lines.add("");
      lines.addAll(ConditionTable.lines(reply.conditions(), now, colours));
    }
    if (!reply.unavailable().isEmpty()) {
      lines.add("");
      lines.addAll(UnavailableTable.lines(reply.unavailable(), colours));
    }
    return lines;
  }

  /** The conditions that are not healthy, as many as there is room for, and a count of the rest. */
  private static List<String> problems(Reply reply, int room, Instant now, Colours colours) {
    List<ConditionView> sorted = Severity.worstFirst(reply.conditions(), ConditionView::severity);
    List<ConditionView> shown =
        sorted.stream()
            .filter(condition -> condition.severity() != Severity.HEALTHY)
            .limit(Math.max(0, room / 2))
            .toList();
    List<String> lines = new ArrayList<>();
    if (!shown.isEmpty()) {
      lines.addAll(ConditionTable.lines(shown, now, colours));
    }
    List<Severity> hidden =
        sorted.subList(shown.size(), sorted.size()).stream().map(ConditionView::severity).toList();
    String more =
        hidden.isEmpty()
            ? ""
            : "%s%d%s node condition%s%s"
                .formatted(
                    shown.isEmpty() ? "" : "… and ",
                    hidden.size(),
                    shown.isEmpty() ? "" : " more",
                    hidden.size() == 1 ? "" : "s",
                    Severity.kinds(hidden));
    int unavailable = reply.unavailable().size();
    String blind = unavailable == 0 ? "" : unavailable + " monitors or checks unavailable";
    String rest =
        String.join("; ", List.of(more, blind).stream().filter(each -> !each.isEmpty()).toList());
    if (!rest.isEmpty()) {
      lines.add(rest);
    }
    return lines;
  }
}
