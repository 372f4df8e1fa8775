package io.probelet.runtime.evidence;

import java.nio.file.Path;
import java.util.Optional;

/**
 * What a process or thread does now.
 *
 * @param state the kernel's letter for it
 * @param cpuMillis CPU time that it has used, in milliseconds, that of its collected children
 *     included
 */
record TaskStat(char state, long cpuMillis) {
  /** User programs see hundredths of a second on all architectures. */
  private static final long MILLIS_PER_TICK = 10;

  private static final int FIRST_TIME = 11;
  private static final int LAST_TIME = 14;

  /**
   * {@return the stat of a process or thread; empty if it has ended}
   *
   * @param task its folder in {@code /proc}
   */
  static Optional<TaskStat> of(Path task) {
    return KernelText.of(task.resolve("stat")).flatMap(TaskStat::parse);
  }

  /** The state follows the name, which is in parentheses and may contain anything. */
  private static Optional<TaskStat> parse(String text) {
    String[] words = text.substring(text.lastIndexOf(')') + 1).strip().split(" ", -1);
    if (words[0].length() != 1 || words.length <= LAST_TIME) {
      return Optional.empty();
    }
    try {
      long ticks = 0;
      for (int time = FIRST_TIME; time <= LAST_TIME; time++) {
        ticks += Long.parseLong(words[time]);
      }
      return Optional.of(new TaskStat(words[0].charAt(0), ticks * MILLIS_PER_TICK));
    } catch (NumberFormatException unexpected) {
      return Optional.empty();
    }
  }

  /** {@return whether it has ended and its parent has not collected it} */
  boolean isZombie() {
    return state == 'Z';
  }
}
