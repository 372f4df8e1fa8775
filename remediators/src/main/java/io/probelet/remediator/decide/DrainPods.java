package io.probelet.remediator.decide;

import io.probelet.kube.object.KeptFields;
import java.util.List;

/** The pods on a node that a drain waits for, without those that stay. */
public record DrainPods(List<DrainPod> pods, int more) {
  /**
   * How many pods of one namespace are kept. A kubelet runs far fewer; further ones can only wait
   * there, by the thousands, and take the places of those that have gone.
   */
  public static final int MAX_OF_NAMESPACE = 1_000;

  /** Maximum number of pods kept, of all namespaces: 5 MB. */
  public static final int MAX = 20_000;

  /** What {@link DrainPod#read} needs. */
  public static final KeptFields FIELDS =
      KeptFields.of(
          "/metadata/annotations/" + DrainPod.MIRROR_POD.replace("/", "~1"),
          "/metadata/ownerReferences/controller",
          "/metadata/ownerReferences/kind",
          "/metadata/ownerReferences/apiVersion",
          "/metadata/ownerReferences/name",
          "/metadata/ownerReferences/uid",
          "/metadata/deletionTimestamp",
          "/metadata/deletionGracePeriodSeconds",
          "/spec/volumes/emptyDir",
          "/status/phase");

  /** No pods. */
  public static final DrainPods NONE = new DrainPods(List.of(), 0);

  /** Copies the pods. */
  public DrainPods {
    pods = List.copyOf(pods);
  }

  /** {@return how many there are in all} */
  int count() {
    return pods.size() + more;
  }
}
