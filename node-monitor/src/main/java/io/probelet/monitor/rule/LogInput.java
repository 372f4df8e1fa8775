package io.probelet.monitor.rule;

import com.google.re2j.Pattern;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Which log is read, and how its entries are read. */
public sealed interface LogInput {
  /**
   * The kernel's messages.
   *
   * @param path {@code /dev/kmsg}, or a file or FIFO that stands in for it
   * @param kernelOnly whether rules see whole records of the kernel itself only
   */
  record Kmsg(Path path, boolean kernelOnly) implements LogInput {
    /** Where the kernel's messages are. */
    public static final Path DEVICE = Path.of("/dev/kmsg");
  }

  /**
   * The journal of systemd.
   *
   * @param directory where the journal's files are; empty for the machine's own
   * @param identifier the syslog identifier whose lines are read; any sender can choose it
   * @param fields what an entry must also have: fields that journald sets itself
   */
  record Journal(String directory, String identifier, Map<String, String> fields)
      implements LogInput {
    /** Keeps an unmodifiable copy of the map. */
    public Journal {
      fields = Collections.unmodifiableMap(new TreeMap<>(fields));
    }
  }

  /**
   * A text file that is rotated.
   *
   * @param path the file that is being written
   * @param timestamp finds a line's time in it
   * @param message finds a line's message in it; its last group is the message
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
