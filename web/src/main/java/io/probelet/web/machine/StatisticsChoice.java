package io.probelet.web.machine;

import com.google.re2j.Pattern;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Which statistics of the machine become metrics.
 *
 * @param names what each wanted metric is called, by node-problem-detector's name for it
 * @param rootDisks whether disks that are not part of another are shown
 * @param mountedDisks whether what is mounted is shown; without either, all disks are
 * @param hiddenInterfaces network interfaces that are left out; empty for none
 * @param knownModules a file with the kernel modules that are no news; empty if all are known
 */
public record StatisticsChoice(
    Map<String, String> names,
    boolean rootDisks,
    boolean mountedDisks,
    Optional<Pattern> hiddenInterfaces,
    Optional<Path> knownModules) {
  /** No statistics. */
  public static final StatisticsChoice NONE =
      new StatisticsChoice(Map.of(), false, false, Optional.empty(), Optional.empty());

  /** Keeps an unmodifiable copy of the names. */
  public StatisticsChoice {
    names = Map.copyOf(names);
  }
}
