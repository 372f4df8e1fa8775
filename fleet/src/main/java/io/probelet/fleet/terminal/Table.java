package io.probelet.fleet.terminal;

import io.probelet.fleet.terminal.Colours.Meaning;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Rows of aligned columns under a header. Columns become wider with what is added, never narrower.
 * A table that is told its width leaves out the columns that matter least and cuts the last one.
 */
public final class Table {
  private static final String GAP = "   ";

  /** The last column is not cut below this. */
  private static final int LEAST_LAST = 24;

  private final List<String> header;
  private final List<Integer> widths;
  private final List<List<String>> rows = new ArrayList<>();
  private final Map<Integer, Function<String, Meaning>> meanings = new HashMap<>();
  private Colours colours = Colours.NONE;
  private List<Integer> droppable = List.of();
  private int limit = Terminal.UNLIMITED;

  /** Creates an empty table. */
  public Table(String... header) {
    this.header = List.of(header);
    widths = new ArrayList<>(this.header.stream().map(String::length).toList());
  }

  /** Prints words in colors from now on. */
  public Table in(Colours palette) {
    colours = palette;
    return this;
  }

  /** Sets the meaning, and so the color, of a column's words. */
  public Table where(String title, Function<String, Meaning> meaning) {
    meanings.put(header.indexOf(title), meaning);
    return this;
  }

  /**
   * Limits the width of lines.
   *
   * @param columns in characters
   * @param titles columns to leave out where they do not fit, the least important first
   */
  public Table within(int columns, String... titles) {
    limit = columns;
    droppable = List.of(titles).stream().map(header::indexOf).toList();
    return this;
  }

  /**
   * Adds a row.
   *
   * @param cells one for each column
   */
  public void add(List<String> cells) {
    List<String> shown = printable(cells);
    widenFor(shown);
    rows.add(shown);
  }

  /**
   * Makes room for cells that are not in the table.
   *
   * @param cells of the first columns, or of all
   */
  public void widenFor(List<String> cells) {
    List<String> shown = printable(cells);
    for (int column = 0; column < shown.size(); column++) {
      widths.set(column, Math.max(widths.get(column), shown.get(column).length()));
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
    return joined(header, (_, title) -> colours.paint(Meaning.TITLE, title));
  }

  /**
   * {@return cells as a line of the columns' present widths}
   *
   * @param cells one for each column
   */
  public String line(List<String> cells) {
    return joined(
        printable(cells),
        (column, cell) ->
            colours.paint(meanings.getOrDefault(column, _ -> Meaning.PLAIN).apply(cell), cell));
  }

  /** Cells are untrusted: none moves the cursor, or takes more than its line. */
  private static List<String> printable(List<String> cells) {
    return cells.stream().map(Terminal::line).toList();
  }

  private String joined(List<String> cells, BiFunction<Integer, String, String> painted) {
    List<Integer> shown = shown();
    int last = shown.getLast();
    int room = Math.max(LEAST_LAST, limit - before(shown));
    StringBuilder line = new StringBuilder();
    for (int column : shown) {
      String cell = cells.get(column);
      if (column == last) {
        line.append(
            painted.apply(column, cell.length() <= room ? cell : Terminal.line(cell, room - 1)));
      } else {
        line.append(painted.apply(column, cell));
        line.repeat(' ', Math.max(0, widths.get(column) - cell.length())).append(GAP);
      }
    }
    return line.toString().stripTrailing();
  }

  /** The columns that fit, at least those that may not be left out. */
  private List<Integer> shown() {
    List<Integer> shown = new ArrayList<>(IntStream.range(0, header.size()).boxed().toList());
    for (Integer column : droppable) {
      if (before(shown) + Math.min(LEAST_LAST, widths.get(shown.getLast())) <= limit) {
        break;
      }
      shown.removeIf(column::equals);
    }
    return shown;
  }

  /** How many characters stand before the last column. */
  private int before(List<Integer> shown) {
    return shown.subList(0, shown.size() - 1).stream()
        .mapToInt(column -> widths.get(column) + GAP.length())
        .sum();
  }

  /**
   * {@return a time as kubectl shows ages, by one unit: {@code 90s}, {@code 31m}, {@code 5h},
   * {@code 3d}}
   *
   * @param age a negative one is shown as none
   */
  public static String age(Duration age) {
    if (age.isNegative()) {
      return "0s";
    }
    if (age.compareTo(Duration.ofMinutes(2)) < 0) {
      return age.toSeconds() + "s";
    }
    if (age.compareTo(Duration.ofHours(2)) < 0) {
      return age.toMinutes() + "m";
    }
    return age.compareTo(Duration.ofDays(2)) < 0 ? age.toHours() + "h" : age.toDays() + "d";
  }
}
