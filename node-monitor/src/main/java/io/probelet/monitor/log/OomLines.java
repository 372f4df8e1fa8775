package io.probelet.monitor.log;

import io.probelet.monitor.track.PodTrace;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds whose process the kernel killed for want of memory (B-10). The line that names the process
 * does not name its cgroup; one shortly before it does, and names the same process.
 */
public final class OomLines {
  private static final String DECISION = "oom-kill:";
  private static final String GROUP = "memory.oom.group";
  private static final String KILLED = "Killed process ";

  /** What a line that {@link #take} heeds holds one of. */
  static final List<String> LITERALS = List.of(DECISION, GROUP);

  /** The path may hold no comma, and is followed by the name and number of the process. */
  private static final Pattern CGROUP = Pattern.compile("task_memcg=([^,]+).*,pid=(\\d+)");

  private static final Pattern WHOLE_GROUP =
      Pattern.compile("Tasks in (\\S+) are going to be killed");
  private static final Pattern PROCESS = Pattern.compile(KILLED + "(\\d+)");

  private @Nullable PodTrace pod;
  private String process = "";

  /** Creates one that has seen no line. */
  public OomLines() {}

  /**
   * Takes the next line of the log.
   *
   * @param line the line
   */
  public void take(String line) {
    if (line.contains(DECISION)) {
      Matcher cgroup = CGROUP.matcher(line);
      boolean named = cgroup.find();
      pod = named ? PodTrace.of(cgroup.group(1)).orElse(null) : null;
      process = named ? cgroup.group(2) : "";
    } else if (line.contains(GROUP)) {
      Matcher group = WHOLE_GROUP.matcher(line);
      if (group.find()) {
        pod = PodTrace.of(group.group(1)).orElse(null);
        process = ""; // whoever is killed next is in it
      }
    }
  }

  /**
   * Finds whose process a line is about.
   *
   * @param text a line that may be about a killed process
   * @return its container; empty if the line names none, or it was no pod's
   */
  public Optional<PodTrace> victim(String text) {
    if (pod == null || !text.contains(KILLED)) {
      return Optional.empty();
    }
    Matcher killed = PROCESS.matcher(text);
    return killed.find() && (process.isEmpty() || process.equals(killed.group(1)))
        ? Optional.ofNullable(pod)
        : Optional.empty();
  }
}
