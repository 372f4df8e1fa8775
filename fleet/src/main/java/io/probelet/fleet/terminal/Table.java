package io.probelet.fleet.terminal;

import io.probelet.fleet.terminal.Colours.Meaning;
import io.probelet.health.ShortText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Rows of aligned columns under a header. Columns become wider with what is added, never narrower.
 * A table that is told its width leaves out the columns that matter least, cuts the last one, and
 * cuts the middle of names.
 */
public final class Table {
  private static final String GAP = "   ";

  /** The last column is not cut below this if names can be. */
  private static final int LEAST_LAST = 24;

  /** The last column is never cut below this. */
  private static final int SHORTEST_LAST = 12;

  /** What is longer is cut rather than another column left out. */
  private static final int LONG_NAME = 40;

  /** Names are not cut below this, nor below their header, while columns can be left out. */
  private static final int SHORTEST_NAME = 8;

  private final List<String> header;
  private final List<Integer> widths;
  private final List<List<String>> rows = new ArrayList<>();
  private final Map<Integer, Function<String, Meaning>> meanings = new HashMap<>();
  private Colours colours = Colours.NONE;
  private List<Integer> droppable = List.of();
  private List<Integer> lastResort = List.of();
  private List<Integer> names = List.of();
  private int limit = Terminal.UNLIMITED;

  /** Set while nothing has changed the columns. */
  private @Nullable Layout layout;

  /** Which columns are shown, and the widths of all. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Layout(List<Integer> shown, int[] widths) {}

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
    droppable = columns(titles);
    return this;
  }

  /**
   * Names columns whose middle is cut where the others do not fit.
   *
   * @param titles columns with names
   */
  public Table cutting(String... titles) {
    names = columns(titles);
    return this;
  }

  /**
   * Names columns that are left out only if short names do not help.
   *
   * @param titles columns to leave out, the least important first
   */
  public Table atLastWithout(String... titles) {
    lastResort = columns(titles);
    return this;
  }

  private List<Integer> columns(String... titles) {
    return List.of(titles).stream().map(header::indexOf).toList();
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
    layout = null;
  }

  /** {@return the header and the rows as lines} */
  public List<String> lines() {
    List<String> lines = new ArrayList<>(List.of(header()));
    rows.forEach(row -> lines.add(line(row)));
    return lines;
  }

  /** {@return the header as a line} */
  public String header() {
    return joined(header, (_, shown) -> colours.paint(Meaning.TITLE, shown));
  }

  /**
   * {@return cells as a line of the columns' present widths}
   *
   * @param cells one for each column
   */
  public String line(List<String> cells) {
    List<String> whole = printable(cells);
    return joined(
        whole,
        (column, shown) ->
            colours.paint(
                meanings.getOrDefault(column, _ -> Meaning.PLAIN).apply(whole.get(column)), shown));
  }

  /** Cells are untrusted: none moves the cursor, or takes more than its line. */
  private static List<String> printable(List<String> cells) {
    return cells.stream().map(Terminal::line).toList();
  }

  private String joined(List<String> cells, BiFunction<Integer, String, String> painted) {
    if (layout == null) {
      List<Integer> columns = shown();
      layout = new Layout(columns, fitted(columns));
    }
    List<Integer> shown = layout.shown();
    int last = shown.getLast();
    StringBuilder line = new StringBuilder();
    for (int column : shown) {
      String cell = cells.get(column);
      int room = layout.widths()[column];
      if (column == last) {
        line.append(
            painted.apply(column, cell.length() <= room ? cell : Terminal.line(cell, room - 1)));
      } else {
        String text = ShortText.middle(cell, room);
        line.append(painted.apply(column, text));
        line.repeat(' ', room - text.length()).append(GAP);
      }
    }
    return line.toString().stripTrailing();
  }

  /** The columns that fit, at least those that may not be left out. */
  private List<Integer> shown() {
    List<Integer> shown = new ArrayList<>(IntStream.range(0, header.size()).boxed().toList());
    int[] wanted = widths.stream().mapToInt(Integer::intValue).toArray();
    for (int column : names) {
      wanted[column] = Math.min(wanted[column], LONG_NAME);
    }
    for (Integer column : droppable) {
      if (before(shown, wanted) + Math.min(LEAST_LAST, widths.get(shown.getLast())) <= limit) {
        break;
      }
      shown.removeIf(column::equals);
    }
    for (int column : names) {
      wanted[column] = Math.min(wanted[column], shortest(column));
    }
    for (Integer column : lastResort) {
      if (before(shown, wanted) + Math.min(SHORTEST_LAST, widths.get(shown.getLast())) <= limit) {
        break;
      }
      shown.removeIf(column::equals);
    }
    return shown;
  }

  /** The columns' widths, so that lines fit; the last column gets the rest. */
  private int[] fitted(List<Integer> shown) {
    int[] fitted = widths.stream().mapToInt(width -> Math.min(width, limit)).toArray();
    int last = shown.getLast();
    List<Integer> others = shown.subList(0, shown.size() - 1);
    int least = Math.min(LEAST_LAST, widths.get(last));
    narrow(
        others.stream().filter(names::contains).toList(),
        this::shortest,
        fitted,
        before(shown, fitted) + least - limit);
    least = Math.min(SHORTEST_LAST, least);
    narrow(others, _ -> 1, fitted, before(shown, fitted) + least - limit);
    fitted[last] = Math.max(least, limit - before(shown, fitted));
    return fitted;
  }

  private int shortest(int column) {
    return Math.max(SHORTEST_NAME, header.get(column).length());
  }

  /** Takes characters from the widest of some columns, one after another. */
  private static void narrow(
      List<Integer> columns, IntUnaryOperator shortest, int[] fitted, int excess) {
    for (int i = 0; i < excess; i++) {
      OptionalInt widest =
          columns.stream()
              .mapToInt(Integer::intValue)
              .filter(column -> fitted[column] > shortest.applyAsInt(column))
              .reduce((a, b) -> fitted[a] >= fitted[b] ? a : b);
      if (widest.isEmpty()) {
        return;
      }
      fitted[widest.getAsInt()]--;
    }
  }

  /** How many characters stand before the last column. */
  private static int before(List<Integer> shown, int[] widths) {
    return shown.subList(0, shown.size() - 1).stream()
        .mapToInt(column -> widths[column] + GAP.length())
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
