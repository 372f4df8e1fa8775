package io.probelet.kube.workload;

import java.util.Arrays;
import java.util.Optional;

/** What of the pods of a workload is limited in the whole cluster; each has leases of its own. */
public enum WorkloadBudget {
  /** Pods that a liveness probe restarts (D-8). */
  RESTARTS("probelet-restarts-", "restarting", "restart"),
  /** Pods that answer a readiness probe that they are not ready (D-22). */
  READINESS("probelet-unready-", "not ready", "be not ready");

  private final String prefix;
  private final String doing;
  private final String verb;

  WorkloadBudget(String prefix, String doing, String verb) {
    this.prefix = prefix;
    this.doing = doing;
    this.verb = verb;
  }

  /**
   * {@return the budget of a lease; empty if it is none of these leases}
   *
   * @param lease its name
   */
  public static Optional<WorkloadBudget> of(String lease) {
    return Arrays.stream(values()).filter(each -> lease.startsWith(each.prefix)).findFirst();
  }

  /** {@return how the name of its leases begins} */
  public String prefix() {
    return prefix;
  }

  /** What listed pods are, after "are already". */
  String doing() {
    return doing;
  }

  /** What they begin to do, after "are starting to". */
  String verb() {
    return verb;
  }
}
