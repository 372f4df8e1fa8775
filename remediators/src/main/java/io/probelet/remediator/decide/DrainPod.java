package io.probelet.remediator.decide;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.kube.Metadata;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A pod on a node to drain.
 *
 * @param left whether it is left where it is: of a file on the node, or finished
 * @param end whether its end has been asked for
 * @param daemonSetOrNull the DaemonSet that it names as its controller, which may not exist; null
 *     if it names none
 */
public record DrainPod(
    PodKey key, boolean left, End end, Set<Loss> losses, @Nullable DaemonSetKey daemonSetOrNull) {
  private static final Set<String> FINISHED = Set.of("Succeeded", "Failed");

  /** Annotation of mirror pods, which are copies of the kubelet's static pods. */
  static final String MIRROR_POD = "kubernetes.io/config.mirror";

  /** Deletion state of a pod. */
  public enum End {
    /** Not being deleted. */
    NOT_ASKED,
    /** Terminating within its grace period. */
    ASKED,
    /** Deleted without a grace period, but still there, for example because of a finalizer. */
    DELETED
  }

  /** What is lost when a pod is evicted. */
  public enum Loss {
    /** The pod itself: no controller recreates it. */
    POD("no controller recreates it"),
    /** The data in its emptyDir volumes. */
    EMPTY_DIR("has emptyDir volumes"),
    /** Not known: the pod was not read. */
    UNKNOWN("too large to be read");

    private final String text;

    Loss(String text) {
      this.text = text;
    }

    /** {@return why a pod is kept, for people} */
    String text() {
      return text;
    }
  }

  /** Copies the losses. */
  public DrainPod {
    losses = Set.copyOf(losses);
  }

  /**
   * Reads a pod.
   *
   * @return what a drain needs of it
   */
  public static DrainPod read(JsonNode pod) {
    PodKey key = key(pod);
    JsonNode controller = controller(pod);
    Set<Loss> losses = EnumSet.noneOf(Loss.class);
    if (controller == null) {
      losses.add(Loss.POD);
    }
    for (JsonNode volume : pod.at("/spec/volumes")) {
      if (volume.hasNonNull("emptyDir")) {
        losses.add(Loss.EMPTY_DIR);
      }
    }
    return new DrainPod(
        key,
        pod.at("/metadata/annotations").has(MIRROR_POD)
            || FINISHED.contains(pod.at("/status/phase").asText()),
        end(pod.path("metadata")),
        losses,
        controller == null ? null : DaemonSetKey.of(key.namespace(), controller));
  }

  /** {@return a pod of which only its identity is known} */
  public static DrainPod unread(JsonNode identity) {
    return new DrainPod(
        key(identity), false, end(identity.path("metadata")), Set.of(Loss.UNKNOWN), null);
  }

  private static PodKey key(JsonNode pod) {
    return new PodKey(
        pod.at("/metadata/namespace").asText(),
        pod.at("/metadata/name").asText(),
        Metadata.uid(pod));
  }

  private static @Nullable JsonNode controller(JsonNode pod) {
    for (JsonNode owner : pod.at("/metadata/ownerReferences")) {
      if (owner.path("controller").asBoolean()) {
        return owner;
      }
    }
    return null;
  }

  private static End end(JsonNode metadata) {
    if (!metadata.hasNonNull("deletionTimestamp")) {
      return End.NOT_ASKED;
    }
    JsonNode grace = metadata.path("deletionGracePeriodSeconds");
    return grace.isIntegralNumber() && grace.asLong() == 0 ? End.DELETED : End.ASKED;
  }

  /** {@return the DaemonSet that it names as its controller; empty if it names none} */
  public Optional<DaemonSetKey> daemonSet() {
    return Optional.ofNullable(daemonSetOrNull);
  }

  /** {@return the same pod, whose DaemonSet does not exist: no controller makes another} */
  public DrainPod withoutDaemonSet() {
    Set<Loss> more = EnumSet.of(Loss.POD);
    more.addAll(losses);
    return new DrainPod(key, left, end, more, null);
  }

  /** {@return whether its end has been asked for} */
  boolean ending() {
    return end != End.NOT_ASKED;
  }
}
