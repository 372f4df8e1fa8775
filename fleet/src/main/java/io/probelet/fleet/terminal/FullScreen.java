package io.probelet.fleet.terminal;

import java.io.PrintWriter;
import java.util.List;
import java.util.function.IntSupplier;

/**
 * Shows one picture after another in the same place, without flicker: each is written over the one
 * before, in one piece. Closing it restores the terminal.
 */
public final class FullScreen implements AutoCloseable {
  /** Switches to the alternate screen, hides the cursor and turns line wrapping off. */
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
   * @param rows gives the window's height, for each picture anew
   */
  public FullScreen(PrintWriter out, IntSupplier rows) {
    this.out = out;
    this.rows = rows;
  }

  /** {@return the window's height in lines, at least 2} */
  public int room() {
    return Math.max(2, rows.getAsInt());
  }

  /**
   * Shows a picture.
   *
   * @param lines those that do not fit are only counted
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
          .append(" lines not shown; enlarge the window")
          .append(CLEAR_REST_OF_LINE);
    } else if (shown.size() == room) {
      picture.setLength(picture.length() - 2); // a line end in the last line would scroll
    }
    out.print(picture.append(CLEAR_BELOW));
    out.flush();
  }

  /** Restores the terminal; nothing is shown from then on. */
  @Override
  public synchronized void close() {
    if (entered && !closed) {
      out.print(LEAVE);
      out.flush();
    }
    closed = true;
  }
}
