package io.probelet.simulation.faults;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** What can go wrong. A seed draws which of these apply to its world. */
public enum FaultKind {
  /** An agent ends between two steps and is started again. */
  CRASH_AGENT(Scope.NODE, Duration.ofMinutes(2)),
  /** An agent ends just before or just after its next write takes effect. */
  CRASH_AGENT_AT_WRITE(Scope.NODE, Duration.ofMinutes(2)),
  /** An agent ends, and what it wrote last to its files is torn or missing. */
  TEAR_FILES(Scope.NODE, Duration.ofMinutes(1)),
  /** The kernel kills an agent and a container for memory. */
  KILL_FOR_MEMORY(Scope.NODE, Duration.ofSeconds(10)),
  /** An agent does not run for a while, but its clocks do. */
  FREEZE_AGENT(Scope.NODE, Duration.ofMinutes(3)),
  /** An agent stands still for parts of seconds, again and again, also while it probes. */
  STALL_AGENT(Scope.NODE, Duration.ofMinutes(10)),
  /** A node does not reach the API server. */
  PARTITION_NODE(Scope.NODE, Duration.ofMinutes(10)),
  /** The kubelet of a node ends, so that the node becomes unknown. */
  STOP_KUBELET(Scope.NODE, Duration.ofMinutes(30)),
  /** A kubelet reports that its node is not ready. */
  NOT_READY(Scope.NODE, Duration.ofMinutes(20)),
  /** A node has a problem that its kernel reports. */
  BREAK_KERNEL(Scope.NODE, Duration.ofMinutes(20)),
  /** A node reboots. */
  REBOOT_NODE(Scope.NODE, Duration.ofMinutes(5)),
  /** A machine is suspended: its monotonic clock stands still. */
  SUSPEND_NODE(Scope.NODE, Duration.ofMinutes(10)),
  /** A node's wall clock is stepped, forward or back. */
  STEP_CLOCK(Scope.NODE, Duration.ofMinutes(30)),
  /** A node's clocks run too fast or too slow. */
  DRIFT_CLOCK(Scope.NODE, Duration.ofMinutes(30)),
  /** A node has no space left for files. */
  FILL_DISK(Scope.NODE, Duration.ofMinutes(10)),
  /** The container runtime does not answer, then comes back. */
  RESTART_RUNTIME(Scope.NODE, Duration.ofMinutes(2)),
  /** A tenant has pods on a node that fail in many ways all the time. */
  NOISY_TENANT(Scope.NODE, Duration.ofMinutes(20)),
  /** Checks of a node cannot be carried out, as when a disk hangs. */
  BREAK_CHECKS(Scope.NODE, Duration.ofMinutes(30)),
  /** A tenant gets lines into the kernel's log that look like the kernel's own. */
  FORGE_LOG(Scope.NODE, Duration.ofMinutes(5)),
  /** A node is deleted, and created again by its kubelet. */
  DELETE_NODE(Scope.NODE, Duration.ofMinutes(5)),
  /** A machine is provisioned again: its Node is replaced, and reports only at the end. */
  RECREATE_NODE(Scope.NODE, Duration.ofMinutes(10)),
  /** Another controller taints a node. */
  TAINT_NODE(Scope.NODE, Duration.ofMinutes(20)),

  /** A container answers with errors until it is restarted. */
  FAIL_CONTAINER(Scope.CONTAINER, Duration.ofMinutes(30)),
  /** A container answers with errors for a while. */
  FAIL_FOR_A_WHILE(Scope.CONTAINER, Duration.ofMinutes(2)),
  /** A container does not answer until it is restarted. */
  HANG_CONTAINER(Scope.CONTAINER, Duration.ofMinutes(30)),
  /** A container does not answer, and ends by itself soon after. */
  HANG_AND_CRASH(Scope.CONTAINER, Duration.ofMinutes(2)),
  /** A container works, but is not ready. */
  UNREADY_CONTAINER(Scope.CONTAINER, Duration.ofMinutes(10)),
  /** A container works, but is not ready until it is restarted, also after the last fault. */
  STAY_UNREADY(Scope.CONTAINER, Duration.ofMinutes(30)),
  /** A container becomes ready and unready again and again. */
  FLAP_READINESS(Scope.CONTAINER, Duration.ofMinutes(30)),
  /** The CPU limit of a container slows it down beyond the timeouts of its probes. */
  THROTTLE_CONTAINER(Scope.CONTAINER, Duration.ofMinutes(12)),
  /** A tenant's pod names the uid of another tenant's pod as its own. */
  STEAL_UID(Scope.CONTAINER, Duration.ofMinutes(30)),
  /** Someone reports a pod as failed, which its kubelet takes back. */
  REPORT_FAILED(Scope.CONTAINER, Duration.ofSeconds(1)),
  /** A container answers late, some of its answers too late. */
  SLOW_CONTAINER(Scope.CONTAINER, Duration.ofMinutes(5)),
  /** A container's process ends. */
  CRASH_CONTAINER(Scope.CONTAINER, Duration.ofSeconds(1)),
  /** A container's next instances start slowly. */
  START_SLOWLY(Scope.CONTAINER, Duration.ofMinutes(20)),
  /** All containers of a node answer with errors for a while, as when their database is gone. */
  FAIL_MANY(Scope.NODE, Duration.ofMinutes(5)),

  /** A controller ends between two steps and is started again. */
  CRASH_CONTROLLER(Scope.CONTROLLER, Duration.ofMinutes(2)),
  /** A controller ends just before or just after its next write takes effect. */
  CRASH_CONTROLLER_AT_WRITE(Scope.CONTROLLER, Duration.ofMinutes(2)),
  /** A controller does not run for a while, but its clocks do. */
  FREEZE_CONTROLLER(Scope.CONTROLLER, Duration.ofMinutes(3)),
  /** A controller does not reach the API server. */
  PARTITION_CONTROLLER(Scope.CONTROLLER, Duration.ofMinutes(5)),
  /** The wall clock of a controller is stepped. */
  STEP_CONTROLLER_CLOCK(Scope.CONTROLLER, Duration.ofMinutes(30)),

  /** The API server answers late. */
  SLOW_SERVER(Scope.SERVER, Duration.ofMinutes(5)),
  /** Some requests do not arrive. */
  LOSE_REQUESTS(Scope.SERVER, Duration.ofMinutes(5)),
  /** Some requests take effect, but their answers are lost. */
  LOSE_ANSWERS(Scope.SERVER, Duration.ofMinutes(5)),
  /** The answers to some writes come late, after watches have shown what followed. */
  DELAY_ANSWERS(Scope.SERVER, Duration.ofMinutes(10)),
  /** The events of watches come in bursts. */
  BUNDLE_EVENTS(Scope.SERVER, Duration.ofMinutes(10)),
  /** The next writes of one kind meet a fault, and nothing else does. */
  HIT_WRITES(Scope.SERVER, Duration.ofMinutes(60)),
  /** Some requests arrive twice. */
  DUPLICATE_REQUESTS(Scope.SERVER, Duration.ofMinutes(5)),
  /** Some requests fail with 500. */
  FAIL_REQUESTS(Scope.SERVER, Duration.ofMinutes(5)),
  /** Priority and fairness refuses some requests with 429. */
  REFUSE_BUSY(Scope.SERVER, Duration.ofMinutes(5)),
  /** Admission refuses some writes with 403. */
  REFUSE_ADMISSION(Scope.SERVER, Duration.ofMinutes(5)),
  /** Some writes conflict with others. */
  CONFLICT(Scope.SERVER, Duration.ofMinutes(5)),
  /** One namespace is being deleted: nothing can be created in it. */
  REFUSE_NAMESPACE(Scope.SERVER, Duration.ofMinutes(20)),
  /** The API server restarts: watches end, and its watch cache is lost. */
  RESTART_SERVER(Scope.SERVER, Duration.ofMinutes(1)),
  /** etcd is restored from a backup: versions go back, or are bumped if it is recent. */
  RESTORE_ETCD(Scope.SERVER, Duration.ofMinutes(10)),

  /** A user changes the spec of a NodeHealthCheck, and changes it back. */
  CHANGE_HEALTH_CHECK(Scope.USER, Duration.ofMinutes(15)),
  /** A user changes a RemediationPolicy, and changes it back. */
  CHANGE_POLICY(Scope.USER, Duration.ofMinutes(15)),
  /** A user deletes a template, and creates it again. */
  DELETE_TEMPLATE(Scope.USER, Duration.ofMinutes(10)),
  /** A user labels a node to be excluded from remediation, and removes the label. */
  EXCLUDE_NODE(Scope.NODE, Duration.ofMinutes(15)),
  /** A user deletes a pod, and its owner creates another. */
  DELETE_POD(Scope.CONTAINER, Duration.ofMinutes(1)),
  /** A user deletes the remediation of a node. */
  DELETE_REMEDIATION(Scope.NODE, Duration.ofSeconds(1)),
  /** A user edits the probes in the annotation of a pod. */
  EDIT_PROBES(Scope.CONTAINER, Duration.ofSeconds(1)),
  /** Someone's finalizer holds the remediations of a node, some of which a user deletes. */
  HOLD_REMEDIATION(Scope.NODE, Duration.ofMinutes(30)),
  /** A user deletes Jobs for a while. */
  DELETE_JOBS(Scope.USER, Duration.ofMinutes(20)),
  /** A user replaces a template: changes, deletes and creates it at once. */
  REPLACE_TEMPLATE(Scope.USER, Duration.ofSeconds(1)),
  /** A user makes a NodeHealthCheck use another template, and takes that back. */
  CHANGE_TEMPLATE(Scope.USER, Duration.ofMinutes(15)),
  /** A user changes the ClusterHealth, and changes it back. */
  CHANGE_CLUSTER_HEALTH(Scope.USER, Duration.ofMinutes(15));

  /** What a fault happens to, which its target is an index of. */
  public enum Scope {
    /** A node. */
    NODE,
    /** A controller. */
    CONTROLLER,
    /** A container of any node. */
    CONTAINER,
    /** The API server. */
    SERVER,
    /** A resource of a user. */
    USER
  }

  private static final Set<FaultKind> OF_AGENTS =
      EnumSet.of(
          CRASH_AGENT,
          CRASH_AGENT_AT_WRITE,
          TEAR_FILES,
          KILL_FOR_MEMORY,
          FREEZE_AGENT,
          RESTART_RUNTIME,
          FORGE_LOG,
          FAIL_MANY);

  private final Scope scope;
  private final Duration longest;

  FaultKind(Scope scope, Duration longest) {
    this.scope = scope;
    this.longest = longest;
  }

  /** {@return what it happens to} */
  public Scope scope() {
    return scope;
  }

  /** {@return whether it needs a real agent, or a container} */
  public boolean needsAgent() {
    return scope == Scope.CONTAINER || OF_AGENTS.contains(this);
  }

  /** {@return how long it lasts at most} */
  public Duration longest() {
    return longest;
  }

  /** {@return whether agents can go on with their work meanwhile} */
  public boolean sparesAgents() {
    return switch (this) {
      case FAIL_MANY,
          REFUSE_NAMESPACE,
          NOISY_TENANT,
          FILL_DISK,
          BREAK_KERNEL,
          BREAK_CHECKS,
          FORGE_LOG,
          EXCLUDE_NODE,
          DELETE_REMEDIATION,
          HOLD_REMEDIATION ->
          true;
      default -> false;
    };
  }

  /** {@return its name in options and traces: crash-agent} */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /**
   * Reads a name.
   *
   * @param label as {@link #label}
   * @throws IllegalArgumentException if there is no such kind; the message lists them
   */
  public static FaultKind parse(String label) {
    return Arrays.stream(values())
        .filter(kind -> kind.label().equals(label))
        .findFirst()
        .orElseThrow(() ->
            new IllegalArgumentException(
                "no fault is called \"%s\"; there are %s"
                    .formatted(
                        label,
                        String.join(
                            ", ", Arrays.stream(values()).map(FaultKind::label).toList()))));
  }
}
