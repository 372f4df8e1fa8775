package io.probelet.fleet.terminal;

import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Where standard output goes.
 *
 * @param interactive whether to a terminal
 * @param configuredColumns what COLUMNS in the environment says; 0 for nothing
 */
public record Terminal(boolean interactive, Colours colours, int configuredColumns) {
  private static final int STANDARD_OUTPUT = 1;
  private static final int STANDARD_ERROR = 2;

  /** What Linux calls TIOCGWINSZ, on x86 and ARM alike. */
  private static final long WINDOW_SIZE = 0x5413;

  private static final int DEFAULT_ROWS = 24;
  private static final int DEFAULT_COLUMNS = 80;

  /** Characters of a wrapped line, however narrow the window is. */
  private static final int LEAST_WRAPPED = 20;

  /** Lines of any width fit a file or a pipe. */
  public static final int UNLIMITED = Integer.MAX_VALUE;

  /** {@return where the standard output of this process goes} */
  public static Terminal standardOutput(Map<String, String> environment) {
    boolean interactive = NativeCalls.isTerminal(STANDARD_OUTPUT);
    String columns = environment.getOrDefault("COLUMNS", "");
    return new Terminal(
        interactive,
        Colours.of(environment, interactive),
        columns.matches("[1-9][0-9]{0,4}") ? Integer.parseInt(columns) : 0);
  }

  /** {@return whether standard error goes to a terminal} */
  static boolean isErrorInteractive() {
    return NativeCalls.isTerminal(STANDARD_ERROR);
  }

  /** {@return the window's height in lines; 24 where it is unknown} */
  public int rows() {
    int rows = interactive ? NativeCalls.window(0) : 0;
    return rows > 0 ? rows : DEFAULT_ROWS;
  }

  /**
   * {@return the window's width in characters: what the terminal says, else COLUMNS, else 80;
   * {@link #UNLIMITED} for a file or a pipe}
   */
  public int columns() {
    if (!interactive) {
      return UNLIMITED;
    }
    int columns = NativeCalls.window(1);
    if (columns > 0) {
      return columns;
    }
    return configuredColumns > 0 ? configuredColumns : DEFAULT_COLUMNS;
  }

  /** {@return a screen that fills the terminal, and gives it back when the process is ended} */
  public FullScreen fullScreen(PrintWriter out) {
    FullScreen screen = new FullScreen(out, this::rows);
    Runtime.getRuntime().addShutdownHook(new Thread(screen::close, "terminal"));
    return screen;
  }

  /**
   * {@return a text whose control and format characters are shown by number, so that it cannot move
   * the cursor or hide what follows}
   *
   * @param text untrusted; line ends and tabs stay
   */
  public static String printable(String text) {
    StringBuilder safe = new StringBuilder(text.length());
    text.codePoints()
        .forEach(c -> {
          int type = Character.getType(c);
          boolean harmless = c == '\n' || c == '\t';
          if (!harmless
              && (type == Character.CONTROL
                  || type == Character.FORMAT
                  || type == Character.SURROGATE
                  || type == Character.LINE_SEPARATOR
                  || type == Character.PARAGRAPH_SEPARATOR)) {
            safe.append("\\u%04x".formatted(c));
          } else {
            safe.appendCodePoint(c);
          }
        });
    return safe.toString();
  }

  /** {@return the same as one line} */
  public static String line(String text) {
    return printable(text.replace('\n', ' ').replace('\t', ' '));
  }

  /**
   * {@return the same as one line of bounded length}
   *
   * @param most how many of its characters are shown before it is cut
   */
  public static String line(String text, int most) {
    String stripped = text.strip();
    int end =
        stripped.offsetByCodePoints(
            0, Math.min(most, stripped.codePointCount(0, stripped.length())));
    String shown = printable(stripped.substring(0, end).replaceAll("\\s", " "));
    return end < stripped.length() ? shown + "…" : shown;
  }

  /**
   * {@return a text as indented lines that fit the window, broken between words where possible}
   *
   * @param text one line without control characters
   */
  public static List<String> wrapped(String indent, String text, int columns) {
    int room = columns == UNLIMITED ? columns : Math.max(LEAST_WRAPPED, columns - indent.length());
    List<String> lines = new ArrayList<>();
    String rest = text;
    while (rest.length() > room) {
      int blank = rest.lastIndexOf(' ', room);
      int end = blank > 0 ? blank : room - (Character.isLowSurrogate(rest.charAt(room)) ? 1 : 0);
      lines.add(indent + rest.substring(0, end));
      rest = rest.substring(end).stripLeading();
    }
    lines.add(indent + rest);
    return lines;
  }

  /** isatty(3) and ioctl(2). Where Java may not call them, there is no terminal. */
  private static final class NativeCalls {
    private NativeCalls() {}

    static boolean isTerminal(int descriptor) {
      try {
        MethodHandle isatty =
            handle(FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT), "isatty");
        return (int) isatty.invokeExact(descriptor) == 1;
      } catch (Throwable denied) {
        return false;
      }
    }

    /** The window's rows (0) or columns (1); 0 if unknown. */
    static int window(int field) {
      try (Arena arena = Arena.ofConfined()) {
        MemorySegment size = arena.allocate(4 * ValueLayout.JAVA_SHORT.byteSize());
        MethodHandle ioctl =
            handle(
                FunctionDescriptor.of(
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_INT,
                    ValueLayout.JAVA_LONG,
                    ValueLayout.ADDRESS),
                "ioctl",
                Linker.Option.firstVariadicArg(2));
        int answer = (int) ioctl.invokeExact(STANDARD_OUTPUT, WINDOW_SIZE, size);
        long offset = field * ValueLayout.JAVA_SHORT.byteSize();
        return answer == 0 ? Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, offset)) : 0;
      } catch (Throwable denied) {
        return 0;
      }
    }

    @SuppressWarnings("restricted") // Java has no other way to ask
    private static MethodHandle handle(
        FunctionDescriptor descriptor, String name, Linker.Option... options) {
      Linker linker = Linker.nativeLinker();
      return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), descriptor, options);
    }
  }
}
