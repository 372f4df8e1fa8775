package io.probelet.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** Inspects the machine's processes through /proc. */
public final class Processes {
  private Processes() {}

  /** Whether a process runs; an unreaped one does not. */
  public static boolean runs(long pid) {
    return !List.of("", "Z", "X").contains(state(pid));
  }

  /** Whether a process has ended but nobody has reaped it. */
  public static boolean zombie(long pid) {
    return state(pid).equals("Z");
  }

  public static long parent(long pid) {
    String[] fields = fields(pid);
    return fields.length == 0 ? -1 : Long.parseLong(fields[1]);
  }

  public static LongStream all() {
    String[] names = Path.of("/proc").toFile().list();
    return Arrays.stream(names == null ? new String[0] : names)
        .filter(name -> name.chars().allMatch(Character::isDigit))
        .mapToLong(Long::parseLong);
  }

  /** The running processes of a group. */
  public static List<Long> group(long id) {
    return all()
        .filter(pid -> {
          String[] fields = fields(pid);
          return fields.length > 0 && Long.parseLong(fields[2]) == id && !fields[0].equals("Z");
        })
        .boxed()
        .toList();
  }

  /** The process id in the id of a container. */
  public static long pid(String containerId) {
    return Long.parseLong(containerId.substring(containerId.lastIndexOf('-') + 1));
  }

  private static String state(long pid) {
    String[] fields = fields(pid);
    return fields.length == 0 ? "" : fields[0];
  }

  /** State, parent, group … of a process, empty when there is none. */
  private static String[] fields(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    } catch (IOException gone) {
      return new String[0];
    }
  }
}
