package io.probelet.simulation.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * Looks for a shorter list of faults that still breaks the same rule: first it leaves out parts of
 * the list (delta debugging), then it shortens what is left.
 */
public final class Shrinker {
  private static final Duration SHORTEST = Duration.ofMillis(10);
  private static final int HALF = 2;

  private final Predicate<List<Fault>> breaks;
  private int triesLeft;

  /**
   * Creates a search.
   *
   * @param breaks runs a world with some faults, and says whether it breaks the rule
   * @param tries how many worlds it runs at most
   */
  public Shrinker(Predicate<List<Fault>> breaks, int tries) {
    this.breaks = breaks;
    this.triesLeft = tries;
  }

  /**
   * {@return the shortest list that was found}
   *
   * @param faults a list that breaks the rule
   */
  public List<Fault> shrink(List<Fault> faults) {
    return shorten(leaveOut(faults));
  }

  private boolean stillBreaks(List<Fault> faults) {
    return triesLeft-- > 0 && breaks.test(faults);
  }

  private List<Fault> leaveOut(List<Fault> all) {
    List<Fault> faults = all;
    int size = Math.max(1, faults.size() / HALF);
    while (!faults.isEmpty() && triesLeft > 0) {
      boolean found = false;
      for (int from = 0; from < faults.size(); ) {
        List<Fault> rest = new ArrayList<>(faults.subList(0, from));
        rest.addAll(faults.subList(Math.min(faults.size(), from + size), faults.size()));
        if (stillBreaks(rest)) {
          faults = rest;
          found = true;
        } else {
          from += size;
        }
      }
      if (size > 1) {
        size /= HALF;
      } else if (!found) {
        break;
      }
    }
    return faults;
  }

  private List<Fault> shorten(List<Fault> left) {
    List<Fault> faults = new ArrayList<>(left);
    for (int index = 0; index < faults.size(); index++) {
      while (triesLeft > 0 && faults.get(index).length().compareTo(SHORTEST) > 0) {
        Fault before = faults.get(index);
        faults.set(index, before.lasting(before.length().dividedBy(HALF)));
        if (!stillBreaks(faults)) {
          faults.set(index, before);
          break;
        }
      }
    }
    return List.copyOf(faults);
  }
}
