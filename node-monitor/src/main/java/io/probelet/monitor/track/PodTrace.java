package io.probelet.monitor.track;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A container, as the path of its cgroup names it (B-10).
 *
 * @param podUid the pod's uid as the container runtime knows it
 * @param containerId the container's id; empty if the path ends at the pod
 */
public record PodTrace(String podUid, String containerId) {
  /** systemd writes underscores for the uid's dashes; pods from files have uids without any. */
  private static final Pattern POD =
      Pattern.compile("pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32})");

  private static final Pattern CONTAINER = Pattern.compile("(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])");
  private static final int SHOWN = 12;

  /**
   * Reads the path of a cgroup, by either of the kubelet's drivers.
   *
   * @param path such as {@code /kubepods.slice/…}
   * @return the container; empty if the path is not below a pod
   */
  public static Optional<PodTrace> of(String path) {
    Matcher pod = POD.matcher(path);
    if (!path.contains("kubepods") || !pod.find()) {
      return Optional.empty();
    }
    String uid = pod.group(1).replace('_', '-').toLowerCase(Locale.ROOT);
    Matcher container = CONTAINER.matcher(path);
    return Optional.of(new PodTrace(uid, container.find(pod.end()) ? container.group() : ""));
  }

  @Override
  public String toString() {
    String container =
        containerId.isEmpty() ? "" : "container " + containerId.substring(0, SHOWN) + " of ";
    return container + "pod " + podUid;
  }
}
