package io.probelet.benchmarks;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.api.model.apps.StatefulSetBuilder;
import io.probelet.checks.object.ObjectHealth;
import io.probelet.checks.result.CheckAggregator;
import io.probelet.checks.result.CheckResult;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Checks Deployments, DaemonSets and StatefulSets as a ClusterHealth has it, page by page, and
 * prints what a pass costs once it is warm.
 */
public final class AssessProcess {
  private static final PrintStream OUT = new PrintStream(System.out, true, StandardCharsets.UTF_8);
  private static final int PAGE = 250;
  private static final int COLD_PASSES = 20;
  private static final int PASSES = 50;

  private AssessProcess() {}

  /**
   * Runs.
   *
   * @param args how many objects of each kind
   */
  public static void main(String[] args) {
    int each = Integer.parseInt(args[0]);
    List<HasMetadata> page = new ArrayList<>();
    for (int i = 0; i < PAGE; i++) {
      page.add(deployment(i));
      page.add(daemonSet(i));
      page.add(statefulSet(i));
    }
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long[] micros = new long[PASSES];
    String said = "";
    for (int pass = -COLD_PASSES; pass < PASSES; pass++) {
      long start = threads.getCurrentThreadCpuTime();
      List<CheckResult> results = new ArrayList<>(3 * each);
      for (int seen = 0; seen < each; seen += PAGE) {
        page.forEach(object -> results.add(ObjectHealth.check(object)));
      }
      said = CheckAggregator.aggregate(results).message();
      if (pass >= 0) {
        micros[pass] = (threads.getCurrentThreadCpuTime() - start) / 1000;
      }
    }
    Arrays.sort(micros);
    OUT.printf(
        "%d Deployments, DaemonSets and StatefulSets each: %.1f ms of CPU a pass (median of %d),"
            + " %.1f ms at most; %s%n",
        each,
        micros[PASSES / 2] / 1e3,
        PASSES,
        micros[PASSES - 1] / 1e3,
        said.lines().findFirst().orElse(""));
  }

  private static HasMetadata deployment(int i) {
    return new DeploymentBuilder()
        .withNewMetadata()
        .withNamespace("kube-system")
        .withName("deployment-" + i)
        .withGeneration(3L)
        .endMetadata()
        .withNewSpec()
        .withReplicas(3)
        .endSpec()
        .withNewStatus()
        .withObservedGeneration(3L)
        .withReadyReplicas(3)
        .addNewCondition()
        .withType("Available")
        .withStatus("True")
        .endCondition()
        .addNewCondition()
        .withType("Progressing")
        .withStatus("True")
        .endCondition()
        .endStatus()
        .build();
  }

  private static HasMetadata daemonSet(int i) {
    return new DaemonSetBuilder()
        .withNewMetadata()
        .withNamespace("kube-system")
        .withName("daemonset-" + i)
        .withGeneration(3L)
        .endMetadata()
        .withNewStatus()
        .withObservedGeneration(3L)
        .withDesiredNumberScheduled(100)
        .withCurrentNumberScheduled(100)
        .withUpdatedNumberScheduled(100)
        .withNumberUnavailable(0)
        .withNumberMisscheduled(0)
        .endStatus()
        .build();
  }

  private static HasMetadata statefulSet(int i) {
    return new StatefulSetBuilder()
        .withNewMetadata()
        .withNamespace("kube-system")
        .withName("statefulset-" + i)
        .withGeneration(3L)
        .endMetadata()
        .withNewSpec()
        .withReplicas(3)
        .endSpec()
        .withNewStatus()
        .withObservedGeneration(3L)
        .withReadyReplicas(3)
        .endStatus()
        .build();
  }
}
