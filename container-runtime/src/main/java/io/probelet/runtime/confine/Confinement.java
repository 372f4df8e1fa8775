package io.probelet.runtime.confine;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The restrictions of a container, with pod and container level combined.
 *
 * @param user {@code runAsUser}, 0 to 2147483647; null means the user Probelet runs as
 * @param group {@code runAsGroup}, likewise; null means the user's own group
 * @param nonRoot whether it must not run as root
 * @param groups supplementary groups, including {@code fsGroup}
 * @param noNewPrivileges whether {@code allowPrivilegeEscalation} is false
 * @param limits its resource limits
 */
public record Confinement(
    @Nullable Integer user,
    @Nullable Integer group,
    boolean nonRoot,
    List<Integer> groups,
    boolean noNewPrivileges,
    CapabilityChange capabilities,
    Limits limits) {
  /** No restrictions: it may do what Probelet may do. */
  public static final Confinement NONE =
      new Confinement(null, null, false, List.of(), false, CapabilityChange.NONE, Limits.NONE);

  /**
   * Checks users and groups, and keeps an unmodifiable copy of the list.
   *
   * @throws IllegalArgumentException if a user or group is negative
   */
  public Confinement {
    groups = List.copyOf(groups);
    if ((user != null && user < 0)
        || (group != null && group < 0)
        || groups.stream().anyMatch(each -> each < 0)) {
      throw new IllegalArgumentException(
          "users and groups must be 0 or more: user %s, group %s, groups %s"
              .formatted(user, group, groups));
    }
  }
}
