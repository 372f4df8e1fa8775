package io.probelet.benchmarks;

import java.io.IOException;
import java.util.List;

/** A CPU limit, like that of a container. */
final class CpuLimit implements AutoCloseable {
  private static final int PERIOD_MICROS = 100_000;

  private final MeasuredGroup group;

  private CpuLimit(MeasuredGroup group) {
    this.group = group;
  }

  /**
   * Creates a group.
   *
   * @param name a unique name
   * @throws IOException if that is not possible here; the message names what is needed
   */
  static CpuLimit of(String name, int millicores) throws IOException {
    CpuLimit quota = new CpuLimit(MeasuredGroup.of("cpu", name));
    quota.limit(Integer.toString(millicores * (PERIOD_MICROS / 1000)));
    return quota;
  }

  private void limit(String micros) throws IOException {
    if (group.isVersion1()) {
      group.write("cpu.cfs_period_us", Integer.toString(PERIOD_MICROS));
      group.write("cpu.cfs_quota_us", micros);
    } else {
      group.write("cpu.max", micros + " " + PERIOD_MICROS);
    }
  }

  /** Removes the limit of the group's processes. */
  void lift() throws IOException {
    limit(group.isVersion1() ? "-1" : "max");
  }

  /** {@return a program that runs in the group} */
  List<String> around(List<String> program) {
    return group.around(program);
  }

  /** Removes the group; its processes must have ended. */
  @Override
  public void close() {
    group.close();
  }
}
