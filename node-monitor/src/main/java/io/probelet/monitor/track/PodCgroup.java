package io.probelet.monitor.track;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The cgroup of a pod, found in the path of that cgroup or one below it (B-10). A path is read from
 * its start: names chosen by a container come after the pod.
 *
 * @param path from the root of the hierarchy to the pod's own group
 */
public record PodCgroup(PodTrace pod, String path) {
  /** systemd replaces dashes of the uid by underscores; uids of static pods have none. */
  private static final Pattern POD =
      Pattern.compile(
          "(?:[\\w.-]*kubepods[\\w.-]*-)?"
              + "pod([0-9a-f]{8}(?:[-_][0-9a-f]{4}){3}[-_][0-9a-f]{12}|[0-9a-f]{32})"
              + "(?:\\.slice)?(?::[\\w.-]+:([0-9a-f]{64}))?");

  /** After a space follows the next line of {@code /proc/PID/cgroup}. */
  private static final Pattern CONTAINER =
      Pattern.compile("(?:[A-Za-z][\\w.-]*-)?([0-9a-f]{64})(?:\\.scope)?(?: .*)?");

  private static final String PODS = "kubepods";

  /** Users may create groups of any name below it. */
  private static final String OF_USERS = "user.slice";

  /**
   * Parses the path of a cgroup, of either cgroup driver of the kubelet.
   *
   * @param path such as {@code /kubepods.slice/…}
   * @return the first pod in it; empty if there is none
   */
  public static Optional<PodCgroup> of(String path) {
    String[] names = path.split("/", -1);
    boolean kubelet = false;
    int end = -1;
    for (int i = 0; i < names.length; i++) {
      end += names[i].length() + 1;
      kubelet |= names[i].contains(PODS);
      Matcher pod = POD.matcher(names[i]);
      if (names[i].equals(OF_USERS)) {
        return Optional.empty();
      }
      if (kubelet && pod.matches()) {
        String uid = pod.group(1).replace('_', '-');
        String inName = pod.group(2);
        String container = inName != null ? inName : i + 1 < names.length ? id(names[i + 1]) : "";
        return Optional.of(new PodCgroup(new PodTrace(uid, container), path.substring(0, end)));
      }
    }
    return Optional.empty();
  }

  private static String id(String name) {
    Matcher container = CONTAINER.matcher(name);
    return container.matches() ? container.group(1) : "";
  }
}
