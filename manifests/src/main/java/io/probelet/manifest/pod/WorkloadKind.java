package io.probelet.manifest.pod;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The kinds of objects with a Pod template. */
enum WorkloadKind {
  DEPLOYMENT(
      "Deployment",
      "apps",
      253,
      List.of("replicas", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds")),
  STATEFUL_SET("StatefulSet", "apps", 63, List.of("replicas", "minReadySeconds")),
  DAEMON_SET("DaemonSet", "apps", 253, List.of("minReadySeconds", "revisionHistoryLimit")),
  REPLICA_SET("ReplicaSet", "apps", 253, List.of("replicas", "minReadySeconds")),
  JOB("Job", "batch", 63, Numbers.OF_JOBS),
  CRON_JOB("CronJob", "batch", 52, Numbers.OF_CRON_JOBS);

  /** Fields that must be zero or more. */
  private static final class Numbers {
    static final List<String> OF_JOBS =
        List.of(
            "parallelism",
            "completions",
            "activeDeadlineSeconds",
            "backoffLimit",
            "ttlSecondsAfterFinished");

    static final List<String> OF_CRON_JOBS =
        List.of(
            "parallelism",
            "completions",
            "activeDeadlineSeconds",
            "backoffLimit",
            "ttlSecondsAfterFinished",
            "startingDeadlineSeconds",
            "successfulJobsHistoryLimit",
            "failedJobsHistoryLimit");
  }

  /** The current group of these kinds, and the former group of the first ones. */
  private static final List<String> GROUPS = List.of("", "apps", "batch", "extensions");

  private final String kind;
  private final String group;
  private final int longestName;

  @SuppressWarnings("ImmutableEnumChecker") // unmodifiable because of List.copyOf
  private final List<String> numbers;

  WorkloadKind(String kind, String group, int longestName, List<String> numbers) {
    this.kind = kind;
    this.group = group;
    this.longestName = longestName;
    this.numbers = List.copyOf(numbers);
  }

  /** Finds the kind of an object. Other groups may have kinds of the same name. */
  static Optional<WorkloadKind> of(String kind, String apiVersion) {
    int slash = apiVersion.indexOf('/');
    String group = slash < 0 ? "" : apiVersion.substring(0, slash);
    return Arrays.stream(values())
        .filter(each -> each.kind.equals(kind) && GROUPS.contains(group))
        .findFirst();
  }

  /** {@return its name} */
  String kind() {
    return kind;
  }

  /** {@return the API version that is read} */
  String apiVersion() {
    return group + "/v1";
  }

  /** {@return whether its pods run permanently; pods of the others end by themselves} */
  boolean serves() {
    return this != JOB && this != CRON_JOB;
  }

  /**
   * {@return the maximum length of a name; labels and names of some pods are longer than the name}
   */
  int longestName() {
    return longestName;
  }

  /** {@return the fields that must be zero or more} */
  List<String> numbers() {
    return numbers;
  }

  /** {@return whether a field of a CronJob belongs to its jobs} */
  boolean isOfJobs(String field) {
    return Numbers.OF_JOBS.contains(field);
  }

  /** {@return the type of its spec} */
  String specType() {
    return kind + "Spec";
  }
}
