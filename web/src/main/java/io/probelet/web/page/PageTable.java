package io.probelet.web.page;

import java.util.List;

/**
 * A table with a caption. On a phone each row becomes a block of lines, named by their columns, so
 * that no cell is beside the screen. Not thread-safe.
 */
public final class PageTable {
  private final String caption;
  private final List<String> columns;
  private final Html table = new Html();

  /**
   * Creates a table without rows.
   *
   * @param columns the columns' names; none for a table that has no head
   */
  public PageTable(String caption, String... columns) {
    this.caption = caption;
    this.columns = List.of(columns);
    if (columns.length > 0) {
      table.open("thead").open("tr");
      for (String column : columns) {
        table.element("th", column, "scope", "col");
      }
      table.close("tr").close("thead");
    }
    table.open("tbody");
  }

  /**
   * Adds a row that its first cell names.
   *
   * @param cells one for each column
   */
  public PageTable row(Html... cells) {
    table.open("tr").open("th", "scope", "row").add(cells[0]).close("th");
    for (int i = 1; i < cells.length; i++) {
      table.open("td", "data-label", label(i)).add(cells[i]).close("td");
    }
    table.close("tr");
    return this;
  }

  /**
   * Adds a row of texts that its first cell names.
   *
   * @param cells one for each column
   */
  public PageTable row(List<String> cells) {
    table.open("tr").element("th", cells.getFirst(), "scope", "row");
    for (int i = 1; i < cells.size(); i++) {
      table.element("td", cells.get(i), "data-label", label(i));
    }
    table.close("tr");
    return this;
  }

  private String label(int column) {
    return column < columns.size() ? columns.get(column) : "";
  }

  /** {@return where rows are added whose cells need attributes} */
  public Html rows() {
    return table;
  }

  /** {@return the table; nothing may be added to it from now on} */
  public Html html() {
    return new Html()
        .openScrolled(caption)
        .open("table")
        .element("caption", caption)
        .add(table.close("tbody"))
        .close("table")
        .close("div");
  }
}
