package io.probelet.runtime.evidence;

import io.probelet.probe.runtime.ContainerEvidence;
import java.util.List;
import java.util.OptionalLong;

/** Puts together what the kernel says about a container. */
public final class KernelEvidence {
  private KernelEvidence() {}

  /**
   * {@return what can be read}
   *
   * @param group its control group, which may not exist
   * @param pids its processes; empty if they are not known
   * @param processes where processes are seen
   */
  public static ContainerEvidence of(GroupFiles group, List<Long> pids, ProcessFiles processes) {
    OptionalLong counted = group.cpuMillis();
    OptionalLong cpuMillis = counted.isPresent() ? counted : processes.cpuMillis(pids);
    return new ContainerEvidence(
        group.quota().orElse(null),
        cpuMillis.isPresent() ? cpuMillis.getAsLong() : null,
        group.memory().orElse(null),
        group.pressure().orElse(null),
        processes.threads(pids).orElse(null),
        processes.listening(pids).orElse(null));
  }
}
