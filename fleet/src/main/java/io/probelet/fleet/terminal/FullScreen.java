package io.probelet.fleet.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * A terminal that shows one picture after another in the same place, without flicker: each is
 * written over the one before, in one piece. What was on the terminal comes back when it is closed.
 */
public final class FullScreen implements AutoCloseable {
  /** The other screen, without cursor, and with lines that are cut where the window ends. */
  private static final String ENTER = "\u001b[?1049h\u001b[?25l\u001b[?7l";

  private static final String LEAVE = "\u001b[?7h\u001b[?25h\u001b[?1049l";
  private static final String HOME = "\u001b[H";
  private static final String CLEAR_REST_OF_LINE = "\u001b[K";
  private static final String CLEAR_BELOW = "\u001b[J";

  private final PrintWriter out;
  private final IntSupplier rows;
  private boolean entered;
  private boolean closed;

  /**
   * Creates a screen that has shown nothing.
   *
   * @param rows how many lines there is room for, asked for each picture
   */
  public FullScreen(PrintWriter out, IntSupplier rows) {
    this.out = out;
    this.rows = rows;
  }

  /** {@return how many lines there is room for now, at least 2} */
  public int room() {
    return Math.max(2, rows.getAsInt());
  }

  /**
   * Shows a picture.
   *
   * @param lines those there is no room for are only counted
   */
  public synchronized void show(List<String> lines) {
    if (closed) {
      return;
    }
    StringBuilder picture = new StringBuilder();
    if (!entered) {
      entered = true;
      picture.append(ENTER);
    }
    int room = room();
    List<String> shown = lines.size() <= room ? lines : lines.subList(0, room - 1);
    picture.append(HOME);
    shown.forEach(line -> picture.append(line).append(CLEAR_REST_OF_LINE).append("\r\n"));
    if (shown.size() < lines.size()) {
      picture
          .append("… ")
          .append(lines.size() - shown.size())
          .append(" more lines than the window has")
          .append(CLEAR_REST_OF_LINE);
    } else if (shown.size() == room) {
      picture.setLength(picture.length() - 2); // a line end in the last line would scroll
    }
    out.print(picture.append(CLEAR_BELOW));
    out.flush();
  }

  /** Brings back what was on the terminal; nothing is shown from then on. */
  @Override
  public synchronized void close() {
    if (entered && !closed) {
      out.print(LEAVE);
      out.flush();
    }
    closed = true;
  }
}
