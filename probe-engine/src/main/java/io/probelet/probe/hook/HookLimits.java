package io.probelet.probe.hook;

/**
 * How many hooks may be under way. One beyond that fails, and its container is stopped without.
 *
 * @param pod of one pod, at least 1
 * @param node of all pods, at least 1
 */
public record HookLimits(int pod, int node) {
  /** What probes may have under way, too (W-13): a request that hangs holds an open file. */
  public static final HookLimits SHARED_NODE = new HookLimits(16, 512);

  /** For pods of whoever runs the program. */
  public static final HookLimits NONE = new HookLimits(Integer.MAX_VALUE, Integer.MAX_VALUE);

  /** Rejects limits under which no hook could run. */
  public HookLimits {
    if (pod < 1 || node < 1) {
      throw new IllegalArgumentException(
          "at least 1 hook must be allowed, found %d for a pod and %d for the node"
              .formatted(pod, node));
    }
  }
}
