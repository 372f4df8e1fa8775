package io.probelet.remediator.order;

import io.probelet.remediator.resource.RebootMode;
import io.probelet.remediator.resource.UnitName;
import java.util.List;

/** What a node is to do. */
public sealed interface OrderAction {
  /** {@return the word for it in the API} */
  String word();

  /** Collects evidence, and changes nothing. */
  record Diagnose() implements OrderAction {
    /** The word for it in the API. */
    public static final String WORD = "Diagnose";

    @Override
    public String word() {
      return WORD;
    }
  }

  /**
   * Restarts units of systemd, one after the other, and waits until all are active.
   *
   * @param units their names, 1 to {@value UnitName#MAX_UNITS}, none twice
   */
  record RestartServices(List<String> units) implements OrderAction {
    /** The word for it in the API. */
    public static final String WORD = "RestartServices";

    /**
     * Keeps an unmodifiable copy of the list.
     *
     * @throws IllegalArgumentException if there are too few or too many, or one is none
     */
    public RestartServices {
      units = List.copyOf(units);
      if (units.isEmpty() || units.size() > UnitName.MAX_UNITS) {
        throw new IllegalArgumentException(
            "%d units; must be 1 to %d".formatted(units.size(), UnitName.MAX_UNITS));
      }
      for (String unit : units) {
        if (!UnitName.isValid(unit)) {
          throw new IllegalArgumentException("\"" + unit + "\" " + UnitName.RULE);
        }
      }
    }

    @Override
    public String word() {
      return WORD;
    }
  }

  /** Reboots the node. */
  record Reboot(RebootMode mode) implements OrderAction {
    /** The word for it in the API. */
    public static final String WORD = "Reboot";

    @Override
    public String word() {
      return WORD;
    }
  }

  /**
   * Something that cannot be carried out, because it cannot be read or is not known here.
   *
   * @param problem what is wrong, for a user
   */
  record Unreadable(String problem) implements OrderAction {
    /** ACT-44: the problem quotes what somebody wrote, once for each mistake. */
    public Unreadable {
      problem = OrderSpec.line(problem);
    }

    @Override
    public String word() {
      return "";
    }
  }
}
