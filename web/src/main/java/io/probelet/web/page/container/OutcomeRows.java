package io.probelet.web.page.container;

import io.probelet.health.ShortText;
import io.probelet.web.api.ContainerView.OutcomeView;
import io.probelet.web.api.ContainerView.PhasesView;
import io.probelet.web.page.Ago;
import io.probelet.web.page.Html;
import io.probelet.web.page.OutcomeStrip.Mark;
import io.probelet.web.page.PageTable;
import io.probelet.web.page.Sparkline;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last outcomes as a table, newest first; neighbors with the same result are one row. */
final class OutcomeRows {
  private OutcomeRows() {}

  /**
   * Equal outcomes in a row.
   *
   * @param newest the last of them
   * @param first time of the first of them that is kept
   * @param times how many there were
   */
  record Group(OutcomeView newest, String first, int times) {}

  /**
   * {@return the outcomes, newest first, neighbors with the same result and message as one}
   *
   * @param history oldest first
   * @param consecutive how many times in a row the newest result came; may be more than are kept
   */
  static List<Group> groups(List<OutcomeView> history, int consecutive) {
    List<Group> groups = new ArrayList<>();
    for (OutcomeView outcome : history.reversed()) {
      Group last = groups.isEmpty() ? null : groups.getLast();
      if (last != null
          && last.newest().result().equals(outcome.result())
          && last.newest().message().equals(outcome.message())) {
        groups.removeLast();
        groups.add(new Group(last.newest(), outcome.time(), last.times() + 1));
      } else {
        groups.add(new Group(outcome, outcome.time(), 1));
      }
    }
    if (groups.size() == 1 && consecutive > history.size()) {
      Group only = groups.getFirst();
      return List.of(new Group(only.newest(), only.first(), consecutive));
    }
    return groups;
  }

  /** Draws the table. */
  static Html table(List<OutcomeView> history, int consecutive, Instant now) {
    boolean phases = history.stream().anyMatch(each -> each.phases() != null);
    List<String> columns = new ArrayList<>(List.of("Ended", "Result", "Latency"));
    if (phases) {
      columns.addAll(List.of("Before", "Resolve", "Connect", "TLS", "First byte"));
    }
    columns.add("Message");
    PageTable table =
        new PageTable(
            "Newest first; equal ones are one row, with the latency of the newest",
            columns.toArray(String[]::new));
    for (Group group : groups(history, consecutive)) {
      table.row(row(group, history.size(), phases, now).toArray(Html[]::new));
    }
    return table.html();
  }

  private static List<Html> row(Group group, int kept, boolean withPhases, Instant now) {
    OutcomeView newest = group.newest();
    Html ended = new Html().add(Ago.of(newest.time(), now));
    if (group.times() > 1) {
      String since = group.times() > kept ? " times, the oldest kept " : " times since ";
      ended.text(", " + group.times() + since).add(Ago.of(group.first(), now));
    }
    List<Html> cells = new ArrayList<>();
    cells.add(ended);
    cells.add(
        new Html()
            .add(Mark.ofOutcome(newest.result()).html())
            .text(" " + ShortText.of(newest.result(), ProbeSection.MAX_CELL_LENGTH)));
    cells.add(new Html().text(Sparkline.millis(newest.latencyMs())));
    PhasesView phases = newest.phases();
    if (withPhases) {
      cells.add(phase(phases == null ? null : phases.before()));
      cells.add(phase(phases == null ? null : phases.resolve()));
      cells.add(phase(phases == null ? null : phases.connect()));
      cells.add(phase(phases == null ? null : phases.tls()));
      cells.add(phase(phases == null ? null : phases.firstByte()));
    }
    cells.add(new Html().text(ShortText.of(newest.message(), ProbeSection.MAX_CELL_LENGTH)));
    return cells;
  }

  private static Html phase(@Nullable Double millis) {
    return millis == null ? new Html() : new Html().text(Sparkline.millis(millis));
  }
}
