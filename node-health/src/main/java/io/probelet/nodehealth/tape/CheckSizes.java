package io.probelet.nodehealth.tape;

import java.util.HashMap;
import java.util.Map;

/** The NodeHealthChecks of a tape at one time: how many there are, and how large they are. */
public final class CheckSizes {
  /** The most NodeHealthChecks at one time. */
  public static final int MAX_CHECKS = 200;

  /** The most bytes of NodeHealthChecks at one time; their trees take ten times that and more. */
  public static final int MAX_BYTES = 8 << 20;

  private final Map<String, Integer> sizes = new HashMap<>();
  private long bytes;

  /** Begins without any. */
  public CheckSizes() {}

  /**
   * Takes a NodeHealthCheck, or what one is now.
   *
   * @param size bytes of its line
   * @return whether there is room; if not, nothing has changed
   */
  public boolean takes(String name, int size) {
    Integer before = sizes.get(name);
    long after = bytes + size - (before == null ? 0 : before);
    boolean room = before != null || sizes.size() < MAX_CHECKS;
    if (!room || after > MAX_BYTES || size > TapeText.MAX_LINE) {
      return false;
    }
    sizes.put(name, size);
    bytes = after;
    return true;
  }

  /**
   * Forgets a NodeHealthCheck.
   *
   * @return whether it was there
   */
  public boolean remove(String name) {
    Integer before = sizes.remove(name);
    bytes -= before == null ? 0 : before;
    return before != null;
  }
}
