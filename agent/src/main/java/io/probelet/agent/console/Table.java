package io.probelet.agent.console;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of aligned columns under a header. Columns become wider with what is added, never narrower.
 */
public final class Table {
  private static final String GAP = "   ";

  private final List<String> header;
  private final List<Integer> widths;
  private final List<List<String>> rows = new ArrayList<>();

  /**
   * Creates an empty table.
   *
   * @param header the columns' titles
   */
  public Table(String... header) {
    this.header = List.of(header);
    widths = new ArrayList<>(this.header.stream().map(String::length).toList());
  }

  /**
   * Adds a row.
   *
   * @param cells one for each column
   */
  public void add(List<String> cells) {
    widenFor(cells);
    rows.add(cells);
  }

  /**
   * Makes room for cells that are not in the table.
   *
   * @param cells of the first columns, or of all
   */
  public void widenFor(List<String> cells) {
    for (int column = 0; column < cells.size(); column++) {
      widths.set(column, Math.max(widths.get(column), cells.get(column).length()));
    }
  }

  /** {@return the header and the rows as lines} */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(List.of(header()));
    rows.forEach(row -> lines.add(line(row)));
    return lines;
  }

  /** {@return the header as a line} */
  public String header() {
    return line(header);
  }

  /**
   * {@return cells as a line of the columns' present widths}
   *
   * @param cells one for each column
   */
  public String line(List<String> cells) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size() - 1; column++) {
      String cell = cells.get(column);
      line.append(cell).repeat(' ', Math.max(0, widths.get(column) - cell.length())).append(GAP);
    }
    return line.append(cells.getLast()).toString().stripTrailing();
  }
}
