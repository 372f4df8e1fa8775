package io.probelet.manifest.pod;

import java.util.Arrays;
import java.util.Optional;

/** The kinds of objects from whose Pod template a cluster makes pods. */
enum WorkloadKind {
  DEPLOYMENT("Deployment", "apps", true),
  STATEFUL_SET("StatefulSet", "apps", true),
  DAEMON_SET("DaemonSet", "apps", true),
  REPLICA_SET("ReplicaSet", "apps", true),
  JOB("Job", "batch", false),
  CRON_JOB("CronJob", "batch", false);

  /** Where the first of them were before they had groups of their own. */
  private static final String EXTENSIONS = "extensions";

  private final String kind;
  private final String group;
  private final boolean serves;

  WorkloadKind(String kind, String group, boolean serves) {
    this.kind = kind;
    this.group = group;
    this.serves = serves;
  }

  /**
   * Finds the kind of an object. Another group may have kinds of the same name.
   *
   * @param kind its kind
   * @param apiVersion what it says its version is
   */
  static Optional<WorkloadKind> of(String kind, String apiVersion) {
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    return Arrays.stream(values())
        .filter(each -> each.kind.equals(kind))
        .filter(each -> group.isEmpty() || group.equals(each.group) || group.equals(EXTENSIONS))
        .findFirst();
  }

  /** {@return its name} */
  String kind() {
    return kind;
  }

  /** {@return the version of the API that is read} */
  String apiVersion() {
    return group + "/v1";
  }

  /** {@return whether its pods run until they are ended; those of the others end by themselves} */
  boolean serves() {
    return serves;
  }

  /** {@return the type of its spec} */
  String specType() {
    return kind + "Spec";
  }
}
