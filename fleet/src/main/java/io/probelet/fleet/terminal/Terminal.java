package io.probelet.fleet.terminal;

import java.io.PrintWriter;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.Map;

/**
 * Where standard output goes.
 *
 * @param interactive whether to a terminal
 */
public record Terminal(boolean interactive, Colours colours) {
  private static final int STANDARD_OUTPUT = 1;
  private static final int STANDARD_ERROR = 2;

  /** What Linux calls TIOCGWINSZ, on x86 and ARM alike. */
  private static final long WINDOW_SIZE = 0x5413;

  private static final int DEFAULT_ROWS = 24;

  /** {@return where the standard output of this process goes} */
  public static Terminal standardOutput(Map<String, String> environment) {
    boolean interactive = NativeCalls.isTerminal(STANDARD_OUTPUT);
    return new Terminal(interactive, Colours.of(environment, interactive));
  }

  /** {@return whether standard error goes to a terminal} */
  static boolean isErrorInteractive() {
    return NativeCalls.isTerminal(STANDARD_ERROR);
  }

  /** {@return how many lines there is room for now; 24 where nobody knows} */
  public int rows() {
    int rows = interactive ? NativeCalls.rows() : 0;
    return rows > 0 ? rows : DEFAULT_ROWS;
  }

  /** {@return a screen that fills the terminal, and gives it back when the process is ended} */
  public FullScreen fullScreen(PrintWriter out) {
    FullScreen screen = new FullScreen(out, this::rows);
    Runtime.getRuntime().addShutdownHook(new Thread(screen::close, "terminal"));
    return screen;
  }

  /**
   * {@return a text in which nothing moves the cursor, hides or turns around what follows: what it
   * would have done is shown as its number}
   *
   * @param text whatever a stranger wrote; line ends and tabs stay
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

    static int rows() {
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
        return answer == 0 ? Short.toUnsignedInt(size.get(ValueLayout.JAVA_SHORT, 0)) : 0;
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
