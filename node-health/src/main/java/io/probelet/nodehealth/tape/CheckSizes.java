package io.probelet.nodehealth.tape;

import io.probelet.nodehealth.maintenance.MaintenanceBook;
import java.util.HashMap;
import java.util.Map;

/** The number and size of a tape's current NodeHealthChecks, or of its Maintenances. */
public final class CheckSizes {
  /** Maximum number of NodeHealthChecks at one time. */
  public static final int MAX_CHECKS = 200;

  /** Maximum bytes of either at one time; their trees take at least ten times that. */
  public static final int MAX_BYTES = 8 << 20;

  private final Map<String, Integer> sizes = new HashMap<>();
  private long bytes;

  private final int most;

  /** Begins without any NodeHealthChecks. */
  public CheckSizes() {
    this(MAX_CHECKS);
  }

  private CheckSizes(int most) {
    this.most = most;
  }

  /** {@return sizes without any Maintenances} */
  public static CheckSizes ofMaintenances() {
    return new CheckSizes(MaintenanceBook.MAX_OBJECTS);
  }

  /**
   * Adds or updates an object.
   *
   * @param size bytes of its line
   * @return whether there is room; if not, nothing has changed
   */
  public boolean takes(String name, int size) {
    Integer before = sizes.get(name);
    long after = bytes + size - (before == null ? 0 : before);
    boolean room = before != null || sizes.size() < most;
    if (!room || after > MAX_BYTES || size > TapeText.MAX_LINE) {
      return false;
    }
    sizes.put(name, size);
    bytes = after;
    return true;
  }

  /**
   * Removes an object.
   *
   * @return whether it existed
   */
  public boolean remove(String name) {
    Integer before = sizes.remove(name);
    bytes -= before == null ? 0 : before;
    return before != null;
  }
}
