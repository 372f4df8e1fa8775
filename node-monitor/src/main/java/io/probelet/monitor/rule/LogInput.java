package io.probelet.monitor.rule;

import com.google.re2j.Pattern;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A log to read, and how to read its entries. */
public sealed interface LogInput {
  /**
   * The kernel's messages.
   *
   * @param path {@code /dev/kmsg}, or a file or FIFO as a stand-in
   * @param kernelOnly whether rules see only whole records written by the kernel itself
   */
  record Kmsg(Path path, boolean kernelOnly) implements LogInput {
    /** The device of the kernel's messages. */
    public static final Path DEVICE = Path.of("/dev/kmsg");
  }

  /**
   * The journal of systemd.
   *
   * @param directory where the journal's files are; empty for the machine's own
   * @param identifier the syslog identifier to read; any sender can choose it
   * @param fields further fields that an entry must have; journald sets them itself
   */
  record Journal(String directory, String identifier, Map<String, String> fields)
      implements LogInput {
    /** Keeps an unmodifiable copy of the map. */
    public Journal {
      fields = Collections.unmodifiableMap(new TreeMap<>(fields));
    }
  }

  /**
   * A rotated text file.
   *
   * @param path the current file
   * @param timestamp finds a line's time in it
   * @param message finds a line's message in it; its last group is the message
   * @param skip lines that contain one of these texts are ignored
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
