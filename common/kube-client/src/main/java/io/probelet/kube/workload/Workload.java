package io.probelet.kube.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The controller that owns pods and replaces them. A pod's author chooses the owner that the pod
 * names. The namespace is the pod's own and part of the workload's identity, so a pod cannot affect
 * workloads of another namespace.
 */
public record Workload(Kind kind, String namespace, String name, String uid) {
  // The same limits as in the agents' admission policy, so that it never rejects an agent's write.
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
  private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final int PARTS = 4;

  /** The supported kinds of controllers. */
  public enum Kind {
    /** Includes pods of a Deployment: each of its ReplicaSets counts separately. */
    REPLICA_SET("apps/v1", "ReplicaSet", "/spec/replicas"),
    /** A StatefulSet. */
    STATEFUL_SET("apps/v1", "StatefulSet", "/spec/replicas"),
    /** A DaemonSet, with one replica per matching node. */
    DAEMON_SET("apps/v1", "DaemonSet", "/status/desiredNumberScheduled"),
    /** A Job, with its parallelism as replicas. */
    JOB("batch/v1", "Job", "/spec/parallelism"),
    /** The predecessor of ReplicaSet. */
    REPLICATION_CONTROLLER("v1", "ReplicationController", "/spec/replicas");

    private final String version;
    private final String word;
    private final String replicas;

    Kind(String version, String word, String replicas) {
      this.version = version;
      this.word = word;
      this.replicas = replicas;
    }

    static Optional<Kind> of(String apiVersion, String word) {
      return Arrays.stream(values())
          .filter(each -> each.version.equals(apiVersion) && each.word.equals(word))
          .findFirst();
    }

    private static Optional<Kind> of(String word) {
      return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /**
   * Reads a pod's owner reference.
   *
   * @param apiVersion of the owner
   * @param kind of the owner
   * @param name of the owner
   * @param uid of the owner
   * @return the workload; empty if the kind is not supported, or the reference is invalid
   */
  public static Optional<Workload> of(
      String namespace, String apiVersion, String kind, String name, String uid) {
    return Kind.of(apiVersion, kind)
        .map(known -> new Workload(known, namespace, name, uid))
        .filter(Workload::isPlausible);
  }

  /** Parses the result of {@link #text}; empty if invalid. */
  static Optional<Workload> parse(String text) {
    String[] parts = text.split("/", PARTS + 1);
    return parts.length != PARTS
        ? Optional.empty()
        : Kind.of(parts[0])
            .map(kind -> new Workload(kind, parts[1], parts[2], parts[3]))
            .filter(Workload::isPlausible);
  }

  private boolean isPlausible() {
    return NAMESPACE.matcher(namespace).matches()
        && NAME.matcher(name).matches()
        && UID.matcher(uid).matches();
  }

  /** Formats it as one line for an annotation. */
  String text() {
    return String.join("/", kind.word, namespace, name, uid);
  }

  /**
   * {@return the name of its lease for restarts, identical for all agents and unique} It contains
   * the workload's fields, so that an admission policy can compare them. If the controller's name
   * is too long, its uid is used.
   */
  public String lease() {
    return lease(WorkloadBudget.RESTARTS);
  }

  /**
   * {@return the name of its lease for a budget}
   *
   * @param budget what is counted
   */
  public String lease(WorkloadBudget budget) {
    return budget.prefix() + kind.word.toLowerCase(Locale.ROOT) + "." + namespace + "." + uid;
  }

  /** {@return the path of the controller at the API server} */
  public String path() {
    return "/%s/%s/namespaces/%s/%ss/%s"
        .formatted(
            kind.version.contains("/") ? "apis" : "api",
            kind.version,
            namespace,
            kind.word.toLowerCase(Locale.ROOT),
            name);
  }

  /** {@return whether this object is the workload's controller, not another with the same name} */
  public boolean isUidOf(JsonNode controller) {
    return controller.at("/metadata/uid").asText().equals(uid);
  }

  /**
   * {@return the desired replicas of the controller (D-12); empty if it is another object, or has
   * none}
   */
  public OptionalInt replicas(JsonNode controller) {
    JsonNode count = controller.at(kind.replicas);
    boolean same = isUidOf(controller);
    if (same && kind == Kind.JOB && count.isMissingNode()) {
      return OptionalInt.of(1);
    }
    return same && count.canConvertToInt() && count.asInt() >= 0
        ? OptionalInt.of(count.asInt())
        : OptionalInt.empty();
  }

  @Override
  public String toString() {
    return kind.word + " " + namespace + "/" + name;
  }
}
