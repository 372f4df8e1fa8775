package io.probelet.monitor.rule;

import com.google.re2j.Pattern;
import java.nio.file.Path;
import java.util.List;

/** Which log is read, and how its entries are read. */
public sealed interface LogInput {
  /**
   * The kernel's messages.
   *
   * @param path {@code /dev/kmsg}, or a file or FIFO that stands in for it
   */
  record Kmsg(Path path) implements LogInput {
    /** Where the kernel's messages are. */
    public static final Path DEVICE = Path.of("/dev/kmsg");
  }

  /**
   * The journal of systemd.
   *
   * @param directory where the journal's files are; empty for the machine's own
   * @param identifier the syslog identifier whose lines are read
   */
  record Journal(String directory, String identifier) implements LogInput {}

  /**
   * A text file that is rotated.
   *
   * @param path the file that is being written
   * @param timestamp finds a line's time in it
   * @param message finds a line's message in it; its last group is the message
   * @param layout how the time is written
   * @param skip lines that contain one of these do not exist
   */
  record TextFile(
      Path path, Pattern timestamp, Pattern message, TimeLayout layout, List<String> skip)
      implements LogInput {
    /** Keeps an unmodifiable copy of the list. */
    public TextFile {
      skip = List.copyOf(skip);
    }
  }
}
