package io.probelet.cli.status;

import io.probelet.cli.status.AgentClient.Reply;
import io.probelet.fleet.terminal.Colours;
import io.probelet.fleet.terminal.Terminal;
import io.probelet.web.api.ContainerHealth;
import io.probelet.web.api.NodeView.ConditionView;
import io.probelet.web.api.Severity;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * An agent's answer as lines that fit a terminal: the summary, invalid manifests, the worst
 * containers, then the node. What does not fit is counted by how bad it is.
 */
final class StatusLayout {
  /** The header, one container with its reason, and the count of those not shown. */
  private static final int LEAST_FOR_CONTAINERS = 4;

  private final Reply reply;
  private final int columns;
  private final Instant now;
  private final Colours colours;

  private StatusLayout(Reply reply, int columns, Instant now, Colours colours) {
    this.reply = reply;
    this.columns = columns;
    this.now = now;
    this.colours = colours;
  }

  /**
   * {@return the lines that fit}
   *
   * @param summary the first line
   * @param reply what to list
   * @param room the window's height in lines
   * @param columns the window's width
   */
  static List<String> lines(
      String summary, Reply reply, int room, int columns, Instant now, Colours colours) {
    StatusLayout layout = new StatusLayout(reply, columns, now, colours);
    List<String> lines = new ArrayList<>(Terminal.wrapped("", summary, columns));
    lines.addAll(layout.manifests(room / 4));
    lines.addAll(layout.state(room - lines.size()));
    return lines;
  }

  private List<String> manifests(int room) {
    if (reply.manifests().total() == 0) {
      return List.of();
    }
    List<String> lines = InvalidManifestTable.lines(reply.manifests(), colours, columns);
    List<String> shown = new ArrayList<>(lines);
    if (lines.size() > Math.max(2, room)) {
      int rows = Math.max(1, room - 2); // beside the header and the count
      shown = new ArrayList<>(lines.subList(0, 1 + rows));
      shown.add("… " + (reply.manifests().total() - rows) + " invalid manifests not shown");
    }
    shown.add("");
    return shown;
  }

  private List<String> state(int room) {
    List<List<String>> containers = containers();
    List<String> all = new ArrayList<>();
    containers.forEach(all::addAll);
    all.addAll(node());
    if (all.size() <= room) {
      return all;
    }
    List<String> node = problems(room - LEAST_FOR_CONTAINERS);
    List<String> lines = new ArrayList<>();
    int shown = 0;
    for (List<String> container : containers) {
      if (lines.size() + container.size() + 1 > room - node.size()) { // one line for the count
        break;
      }
      lines.addAll(container);
      shown++;
    }
    List<Severity> hidden =
        ContainerHealth.worstFirst(reply.containers()).stream()
            .skip(Math.max(0, shown - 1))
            .map(each -> ContainerHealth.of(each).severity())
            .toList();
    if (!reply.containers().isEmpty()) {
      lines.add(hidden.isEmpty() ? "" : notShown(hidden, "container"));
    }
    lines.addAll(node);
    return lines;
  }

  /** The header, then the rows of each container. */
  private List<List<String>> containers() {
    if (reply.containers().isEmpty()) {
      return List.of();
    }
    StatusTable table = new StatusTable(colours, columns);
    table.widenFor(reply.containers());
    List<List<String>> lines = new ArrayList<>();
    lines.add(List.of(table.header()));
    ContainerHealth.worstFirst(reply.containers())
        .forEach(container -> lines.add(table.rows(container, now)));
    return lines;
  }

  private List<String> node() {
    List<String> lines = new ArrayList<>();
    if (!reply.conditions().isEmpty()) {
      lines.add("");
      lines.addAll(ConditionTable.lines(reply.conditions(), now, colours, columns));
    }
    if (!reply.unavailable().isEmpty()) {
      lines.add("");
      lines.addAll(UnavailableTable.lines(reply.unavailable(), colours, columns));
    }
    return lines;
  }

  /** The conditions that are not healthy, as many as fit, and a count of the others. */
  private List<String> problems(int room) {
    List<ConditionView> sorted = Severity.worstFirst(reply.conditions(), ConditionView::severity);
    List<ConditionView> shown =
        sorted.stream()
            .filter(condition -> condition.severity() != Severity.HEALTHY)
            .limit(Math.max(0, room / 2))
            .toList();
    List<String> lines = new ArrayList<>();
    if (!shown.isEmpty()) {
      lines.addAll(ConditionTable.lines(shown, now, colours, columns));
    }
    List<Severity> hidden =
        sorted.subList(shown.size(), sorted.size()).stream().map(ConditionView::severity).toList();
    int unavailable = reply.unavailable().size();
    String rest =
        Stream.of(
                hidden.isEmpty() ? "" : notShown(hidden, "node condition"),
                unavailable == 0 ? "" : unavailable + " monitors or checks unavailable")
            .filter(each -> !each.isEmpty())
            .collect(Collectors.joining("; "));
    if (!rest.isEmpty()) {
      lines.add(rest);
    }
    return lines;
  }

  /** Such as {@code … 40 healthy containers not shown}. */
  private static String notShown(List<Severity> hidden, String noun) {
    String nouns = noun + (hidden.size() == 1 ? "" : "s");
    boolean alike = hidden.stream().distinct().count() == 1;
    Severity first = hidden.getFirst();
    if (alike && first != Severity.WARNING) {
      return "… %d %s %s not shown".formatted(hidden.size(), first.words(), nouns);
    }
    return "… %d %s not shown%s".formatted(hidden.size(), nouns, Severity.kinds(hidden));
  }
}
