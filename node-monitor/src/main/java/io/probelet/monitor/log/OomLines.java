package io.probelet.monitor.log;

import io.probelet.monitor.track.PodCgroup;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Finds the cgroup of an OOM-killed process (B-10). The record that names the process does not name
 * its cgroup; a record shortly before it names both. Only whole records count: text inside another
 * record may be a name that a process chose.
 */
public final class OomLines {
  private static final String DECISION_START = "oom-kill:";
  private static final String GROUP_START = "Tasks in ";

  /**
   * No part before the process name contains a comma; otherwise the record does not match. The name
   * may contain anything, but only the two numbers follow it.
   */
  private static final Pattern DECISION =
      Pattern.compile(
          "oom-kill:constraint=CONSTRAINT_[A-Z_]+,nodemask=(?:\\(null\\)|[0-9,-]*),cpuset=[^,]{1,255}"
              + ",mems_allowed=[0-9,-]*(?:,global_oom|,oom_memcg=[^,]{1,4096})"
              + ",task_memcg=([^,]{1,4096}),task=.{0,15},pid=([0-9]+),uid=[0-9]+",
          Pattern.DOTALL);

  private static final Pattern WHOLE_GROUP =
      Pattern.compile(
          "Tasks in ([^,]{1,4096}) are going to be killed due to memory\\.oom\\.group set");

  private static final Pattern PROCESS =
      Pattern.compile(
          "(?:(?:Out of memory(?: \\(oom_kill_allocating_task\\))?|Memory cgroup out of memory): )?"
              + "Killed process ([0-9]+) \\(");

  private @Nullable PodCgroup pod;
  private String process = "";

  /** Creates an instance that has seen no record. */
  public OomLines() {}

  /**
   * Takes the next kernel record.
   *
   * @param record all of it
   */
  public void take(String record) {
    if (record.startsWith(DECISION_START)) {
      Matcher decision = DECISION.matcher(record);
      boolean named = decision.matches();
      pod = named ? PodCgroup.of(decision.group(1)).orElse(null) : null;
      process = named ? decision.group(2) : "";
    } else if (record.startsWith(GROUP_START)) {
      Matcher group = WHOLE_GROUP.matcher(record);
      if (group.matches()) {
        pod = PodCgroup.of(group.group(1)).orElse(null);
        process = ""; // the process killed next is in it
      }
    }
  }

  /**
   * Finds the pod of the process that a record is about.
   *
   * @param record a record that may be about a killed process
   * @return the cgroup of its pod; empty if the record names none, or it was no pod's
   */
  public Optional<PodCgroup> victim(String record) {
    if (pod == null) {
      return Optional.empty();
    }
    Matcher killed = PROCESS.matcher(record);
    return killed.lookingAt() && (process.isEmpty() || process.equals(killed.group(1)))
        ? Optional.ofNullable(pod)
        : Optional.empty();
  }
}
