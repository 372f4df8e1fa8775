package io.probelet.remediator.decide;

import io.probelet.remediator.resource.RemediationProgress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What to do next for a remediation: write its status, then carry out the actions one after
 * another, then say what there is to be said. If the status cannot be written, nothing else is
 * done.
 *
 * @param actions what to do once it is written; the first that fails ends the step, but for those
 *     about pods, each of which stands alone
 * @param again when to decide anew at the latest; empty for only when something changes
 * @param notices Events, published once the status is written, if it has changed
 */
public record Step(
    RemediationProgress status,
    List<Action> actions,
    Optional<Duration> again,
    List<Notice> notices) {
  /** Copies actions and notices. */
  public Step {
    actions = List.copyOf(actions);
    notices = List.copyOf(notices);
  }

  /** {@return one that does nothing but say how far the remediation is} */
  public static Step of(RemediationProgress status) {
    return new Step(status, List.of(), Optional.empty(), List.of());
  }

  /**
   * {@return the same with further actions}
   *
   * @param more what to do after those that there are
   */
  public Step then(List<? extends Action> more) {
    List<Action> all = new ArrayList<>(actions);
    all.addAll(more);
    return new Step(status, all, again, notices);
  }

  /**
   * {@return the same with a further action}
   *
   * @param action what to do after those that there are
   */
  public Step then(Action action) {
    return then(List.of(action));
  }

  /**
   * {@return the same, decided anew after a time at the latest}
   *
   * @param delay above zero
   */
  public Step again(Duration delay) {
    return new Step(status, actions, Optional.of(delay), notices);
  }

  /** {@return the same with a further Event} */
  public Step say(Notice notice) {
    List<Notice> all = new ArrayList<>(notices);
    all.add(notice);
    return new Step(status, actions, again, all);
  }
}
