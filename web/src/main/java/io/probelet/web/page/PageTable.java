package io.probelet.web.page;

import java.util.List;

/**
 * A table that has a caption, and that scrolls by itself where the screen is narrow, by the
 * keyboard too. Not for use by several threads at once.
 */
public final class PageTable {
  private final String caption;
  private final Html table = new Html();

  /**
   * Creates a table without rows.
   *
   * @param columns the columns' names; none for a table that has no head
   */
  public PageTable(String caption, String... columns) {
    this.caption = caption;
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
    List.of(cells).subList(1, cells.length).forEach(cell -> table.open("td").add(cell).close("td"));
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
    cells.subList(1, cells.size()).forEach(cell -> table.element("td", cell));
    table.close("tr");
    return this;
  }

  /** {@return where rows are added whose cells differ in more than what they hold} */
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
