package io.probelet.kube.workload;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * What makes pods, and another when one is gone: the controller that owns them. Who writes a pod
 * chooses what it names as its owner; the namespace is the pod's own and part of what a workload
 * is, so that nobody gets at a workload of another namespace.
 */
public record Workload(Kind kind, String namespace, String name, String uid) {
  // The agents' admission policy takes the same, so that what an agent writes is never refused.
  private static final Pattern NAMESPACE = Pattern.compile("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?");
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?");
  private static final Pattern UID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");
  private static final int PARTS = 4;

  /** The controllers whose number of replicas is known. */
  public enum Kind {
    /** Also the pods of a Deployment: each of its ReplicaSets counts for itself. */
    REPLICA_SET("apps/v1", "ReplicaSet", "/spec/replicas"),
    /** A StatefulSet. */
    STATEFUL_SET("apps/v1", "StatefulSet", "/spec/replicas"),
    /** A DaemonSet, of which there are as many as nodes that are to have one. */
    DAEMON_SET("apps/v1", "DaemonSet", "/status/desiredNumberScheduled"),
    /** A Job, of which so many run at once. */
    JOB("batch/v1", "Job", "/spec/parallelism"),
    /** What there was before ReplicaSets. */
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
   * Reads the reference that a pod has to its owner.
   *
   * @param apiVersion of the owner
   * @param kind of the owner
   * @param name of the owner
   * @param uid of the owner
   * @return the workload; empty if its replicas are not known here, or if it is no such reference
   */
  public static Optional<Workload> of(
      String namespace, String apiVersion, String kind, String name, String uid) {
    return Kind.of(apiVersion, kind)
        .map(known -> new Workload(known, namespace, name, uid))
        .filter(Workload::isPlausible);
  }

  /** Reads what {@link #text} made; empty if it did not. */
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

  /** All of it in one line, for an annotation. */
  String text() {
    return String.join("/", kind.word, namespace, name, uid);
  }

  /**
   * {@return the name of its lease: the same for all agents, and nobody else's} It is spelled out,
   * so that an admission policy can compare it with the workload. A controller's name may be too
   * long for it; its uid is as good.
   */
  public String lease() {
    return RestartCounter.PREFIX + kind.word.toLowerCase(Locale.ROOT) + "." + namespace + "." + uid;
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

  /** {@return whether a controller of this name is the workload's, and not another} */
  public boolean isUidOf(JsonNode controller) {
    return controller.at("/metadata/uid").asText().equals(uid);
  }

  /**
   * {@return how many replicas the controller is to have (D-12); empty if that is not it, or does
   * not say}
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
