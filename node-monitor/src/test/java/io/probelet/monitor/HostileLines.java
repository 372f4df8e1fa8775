package io.probelet.monitor;

import io.probelet.monitor.log.KernelFormat;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Records of a real kernel with names chosen by a process: each name that could deceive a rule, in
 * each place where kernels write names.
 */
public final class HostileLines {
  private static final int MAX_COMM = 15;

  /** An uninvolved pod. */
  public static final String VICTIM = "0c5d1e6a-4f6b-4c3e-9a5b-1f2e3d4c5b6a";

  private static final String CONTAINER = KernelFormat.CONTAINER;
  private static final String VICTIMS = "/kubepods/burstable/pod" + VICTIM + "/" + CONTAINER;

  /** The part of a name that a process may choose, and its length. */
  private static String filled(String format, String name) {
    return format
        .replace("%COMM%", cut(name, MAX_COMM))
        .replace("%FILE%", cut(name.replace('/', '|'), 255))
        .replace("%TEXT%", name)
        .replace("%DEVICE%", cut(name.replaceAll("[\\s/:]", ""), 15))
        .replace("%CGROUP%", cut(name.replace('/', '|').replace('\n', ' '), 255));
  }

  private static String cut(String name, int length) {
    return name.substring(0, Math.min(length, name.length()));
  }

  /**
   * A record with a name in it.
   *
   * @param text all of it, newlines included
   * @param own the correct reason of the record; empty if it matches no rule
   */
  public record Hostile(String format, String text, String own) {}

  private HostileLines() {}

  /** Names that equal or begin like what a rule matches. */
  private static List<String> names() {
    List<String> triggers = new ArrayList<>();
    Stream.concat(KernelLines.KERNEL.stream(), KernelLines.SYSTEMD.stream())
        .map(KernelLines.Example::line)
        .forEach(triggers::add);
    triggers.add("x Remounting filesystem read-only");
    triggers.add("EXT4-fs (sda1): re-mounted x r/w.");
    triggers.add("XFS (sda1): Ending clean mount");
    triggers.add(
        "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=x,mems_allowed=0,oom_memcg="
            + VICTIMS
            + ",task_memcg="
            + VICTIMS
            + ",task=java,pid=7,uid=0");
    triggers.add("oom-kill:task_memcg=" + VICTIMS + ",task=x,pid=7");
    triggers.add("task_memcg=" + VICTIMS + ",task=java,pid=7,uid=0");
    triggers.add("Tasks in " + VICTIMS + " are going to be killed due to memory.oom.group set");
    triggers.add("x,mems_allowed=0,global_oom,task_memcg=" + VICTIMS + ",task=a,pid=7,uid=0");
    triggers.add("kubepods|pod" + VICTIM);
    triggers.add(VICTIMS.substring(1));
    Set<String> names = new LinkedHashSet<>();
    for (String trigger : triggers) {
      names.add(trigger);
      names.add("x " + trigger);
      names.add("\n" + trigger);
      names.add("x\n" + trigger + "\n");
      names.add("x\u2028\n" + trigger);
      names.add("\r" + trigger + "\r");
      names.add("x\n<0>[    9.000000] " + trigger);
      names.add("x\n0,9,9,-;" + trigger);
      names.add("[    9.000000][  T12] " + trigger);
      names.add("[   T12] " + trigger);
      names.add("\t" + trigger);
    }
    // What a name of 15 characters can hold of the middle of a trigger, before what follows it.
    for (String trigger : triggers) {
      for (int end = 4; end <= MAX_COMM; end++) {
        names.add(trigger.substring(0, Math.min(end, trigger.length())));
      }
    }
    return List.copyOf(names);
  }

  /** All names in all places. */
  public static Stream<Hostile> all() {
    List<String> names = names();
    return KernelFormat.ALL.stream()
        .flatMap(format ->
            names.stream()
                // The beginning of a trigger deceives only at the start of a record.
                .filter(name -> name.length() > MAX_COMM || format.text().startsWith("%"))
                .map(name -> filled(format, name)));
  }

  /** The names alone, as whole records, for logs that anyone may write. */
  public static Stream<String> bare() {
    return names().stream();
  }

  private static Hostile filled(KernelFormat format, String name) {
    String text = filled(format.text(), name);
    return new Hostile(format.text(), text, format.reason());
  }
}
