package io.probelet.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A control group with a CPU limit, like that of a container. */
final class CpuLimit implements AutoCloseable {
  private static final Path ROOT = Path.of("/sys/fs/cgroup");
  private static final Path VERSION_1 = ROOT.resolve("cpu");
  private static final int PERIOD_MICROS = 100_000;

  private final Path group;
  private final boolean version1;

  private CpuLimit(Path group, boolean version1) {
    this.group = group;
    this.version1 = version1;
  }

  /**
   * Creates a group, in version 2 of control groups or in version 1.
   *
   * @param name a unique name
   * @throws IOException if that is not possible here; the message names what is needed
   */
  static CpuLimit of(String name, int millicores) throws IOException {
    boolean version1 = Files.isDirectory(VERSION_1);
    CpuLimit quota = new CpuLimit((version1 ? VERSION_1 : ROOT).resolve(name), version1);
    try {
      Files.createDirectory(quota.group);
      quota.limit(Integer.toString(millicores * (PERIOD_MICROS / 1000)));
    } catch (IOException refused) {
      throw new IOException(
          "a control group with a CPU quota could not be made; this takes root and the cpu"
              + " controller below "
              + ROOT
              + ": "
              + refused,
          refused);
    }
    return quota;
  }

  private void limit(String micros) throws IOException {
    if (version1) {
      Files.writeString(group.resolve("cpu.cfs_period_us"), Integer.toString(PERIOD_MICROS));
      Files.writeString(group.resolve("cpu.cfs_quota_us"), micros);
    } else {
      Files.writeString(group.resolve("cpu.max"), micros + " " + PERIOD_MICROS);
    }
  }

  /** Removes the limit of the group's processes. */
  void lift() throws IOException {
    limit(version1 ? "-1" : "max");
  }

  /** {@return a program that runs in the group} */
  List<String> around(List<String> program) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "sh",
                "-c",
                "echo $$ >\"$0\" && exec \"$@\"",
                group.resolve("cgroup.procs").toString()));
    command.addAll(program);
    return command;
  }

  /** Removes the group; its processes must have ended. */
  @Override
  public void close() {
    Waiting.until(
        "the control group " + group + " is empty",
        () -> {
          Files.delete(group);
          return true;
        });
  }
}
