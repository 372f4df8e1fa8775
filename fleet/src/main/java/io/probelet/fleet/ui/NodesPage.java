package io.probelet.fleet.ui;

import io.probelet.fleet.FleetNode;
import io.probelet.fleet.FleetNode.State;
import io.probelet.fleet.FleetView;
import io.probelet.web.http.Resource.BadRequest;
import io.probelet.web.page.Fragment;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageQuery;
import io.probelet.web.page.PageTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/** Nodes one by one: those of a group of the map, of a state, or with a text in their name. */
final class NodesPage implements UiPage.Content {
  /** In place of a label's value: nodes without the label. No value is such a text. */
  static final String WITHOUT = "-";

  /** Nodes on one page. */
  static final int MAX_ROWS = 200;

  private final Supplier<FleetView> fleet;

  /** Creates the page. */
  NodesPage(Supplier<FleetView> fleet) {
    this.fleet = fleet;
  }

  /**
   * Which nodes are wanted.
   *
   * @param label a label's key; empty for any
   * @param value the label's value; empty for any
   * @param state as in the address; empty for any
   * @param text part of the name; empty for any
   */
  private record Filter(String label, String value, String state, String text) {
    static Filter of(PageQuery query) throws BadRequest {
      Filter filter =
          new Filter(
              query.text("by"),
              query.text("value"),
              query.text("state"),
              query.text("q").toLowerCase(Locale.ROOT));
      if (!filter.state.isEmpty() && !states().contains(filter.state)) {
        throw new BadRequest("state must be one of " + String.join(", ", states()));
      }
      return filter;
    }

    static List<String> states() {
      List<String> states = new ArrayList<>();
      for (State state : State.values()) {
        states.add(word(state));
      }
      return states;
    }

    static String word(State state) {
      return state.name().toLowerCase(Locale.ROOT);
    }

    boolean matches(FleetNode node) {
      return (value.isEmpty() || node.label(label).equals(value.equals(WITHOUT) ? "" : value))
          && (state.isEmpty() || word(node.state()).equals(state))
          && node.name().contains(text);
    }

    String page(int number) {
      return PageQuery.link(
          "nodes",
          "by",
          label,
          "value",
          value,
          "state",
          state,
          "q",
          text,
          "page",
          String.valueOf(number));
    }
  }

  @Override
  public String title(PageQuery query) throws BadRequest {
    Filter filter = Filter.of(query);
    if (filter.value().isEmpty()) {
      return "Nodes";
    }
    return filter.value().equals(WITHOUT)
        ? "Nodes without " + filter.label()
        : "Nodes with " + filter.label() + " " + filter.value();
  }

  @Override
  public Html above(PageQuery query) throws BadRequest {
    Filter filter = Filter.of(query);
    Html form =
        new Html()
            .open(
                "form",
                "class",
                "filter",
                "role",
                "search",
                "action",
                "nodes",
                "method",
                "get",
                "data-filter",
                "")
            .empty("input", "type", "hidden", "name", "by", "value", filter.label())
            .empty("input", "type", "hidden", "name", "value", "value", filter.value())
            .open("label")
            .text("Name contains")
            .empty("input", "type", "search", "name", "q", "value", filter.text())
            .close("label")
            .open("label")
            .text("State")
            .open("select", "name", "state")
            .element("option", "any", "value", "");
    for (State state : State.values()) {
      String word = Filter.word(state);
      FleetWords.Shown shown = FleetWords.of(state);
      form.option(word, shown.shape() + " " + shown.word(), word.equals(filter.state()));
    }
    return UiPage.endOfForm(form.close("select").close("label"));
  }

  @Override
  public List<Fragment> fragments(Map<String, List<String>> values) throws BadRequest {
    PageQuery query = new PageQuery(values);
    Filter filter = Filter.of(query);
    FleetView view = fleet.get();
    List<FleetNode> found =
        FleetMap.worstFirst(view.nodes().stream().filter(filter::matches).toList());
    int pages = Math.max(1, (found.size() + MAX_ROWS - 1) / MAX_ROWS);
    int page = Math.min(query.page(), pages);
    List<FleetNode> rows =
        found.subList((page - 1) * MAX_ROWS, Math.min(page * MAX_ROWS, found.size()));
    return List.of(
        new Fragment(
            "found",
            List.of(found.size(), rows, page),
            () -> found(filter, view, found.size(), rows, page, pages)));
  }

  private static Html found(
      Filter filter, FleetView view, int all, List<FleetNode> rows, int page, int pages) {
    Html section =
        new Html()
            .open("section", "id", "found")
            .element(
                "h2",
                "%s of %s"
                    .formatted(
                        FleetWords.count(all), FleetWords.count(view.nodes().size(), "node")));
    if (rows.isEmpty()) {
      return section.element("p", "No node matches.").close("section");
    }
    PageTable table = TroubleSections.nodes("Worst first");
    rows.forEach(node -> TroubleSections.node(table, node, view.time()));
    section.add(table.html());
    if (pages > 1) {
      section.open("nav", "aria-label", "More nodes").open("ul", "class", "menu");
      if (page > 1) {
        section
            .open("li")
            .element("a", "Page " + (page - 1), "href", filter.page(page - 1))
            .close("li");
      }
      section.element("li", "Page %d of %d".formatted(page, pages));
      if (page < pages) {
        section
            .open("li")
            .element("a", "Page " + (page + 1), "href", filter.page(page + 1))
            .close("li");
      }
      section.close("ul").close("nav");
    }
    return section.close("section");
  }
}
