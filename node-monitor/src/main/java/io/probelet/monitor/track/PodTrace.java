package io.probelet.monitor.track;

/**
 * A container, identified by the path of its cgroup (B-10).
 *
 * @param containerId the container's id; empty if the path ends at the pod
 */
public record PodTrace(String podUid, String containerId) {
  private static final int SHOWN = 12;

  @Override
  public String toString() {
    String container =
        containerId.isEmpty() ? "" : "container " + containerId.substring(0, SHOWN) + " of ";
    return container + "pod " + podUid;
  }
}
