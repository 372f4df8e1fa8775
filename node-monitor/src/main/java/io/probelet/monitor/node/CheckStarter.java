package io.probelet.monitor.node;

import io.probelet.monitor.rule.CheckKind;
import java.util.Set;

/** Has checks run at once, because a line gives reason to. */
@FunctionalInterface
interface CheckStarter {
  /** Runs the checks of these kinds soon; one that ran for a line just now waits for its turn. */
  void run(Set<CheckKind> kinds);
}
