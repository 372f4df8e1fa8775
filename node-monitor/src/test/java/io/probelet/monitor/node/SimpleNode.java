package io.probelet.monitor.node;

import io.probelet.health.ConditionStatus;
import io.probelet.monitor.track.Evidence;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A slow model of a node's conditions: it evaluates every second, so it needs no wake-ups. Times
 * are whole seconds.
 */
final class SimpleNode {
  private static final ConditionStatus TRUE = ConditionStatus.TRUE;
  private static final ConditionStatus FALSE = ConditionStatus.FALSE;
  private static final ConditionStatus UNKNOWN = ConditionStatus.UNKNOWN;

  private final List<SimpleCondition> conditions;

  SimpleNode(List<SimpleCondition> conditions) {
    this.conditions = conditions;
  }

  List<SimpleCondition> conditions() {
    return conditions;
  }

  void second(int now) {
    conditions.forEach(condition -> condition.second(now));
  }

  /** A rule as a file has it; 0 stands for none, but for minCount. */
  record Terms(String id, boolean log, int debounce, int clearAfter, int minCount, int window) {}

  /** One condition. */
  static final class SimpleCondition {
    final String type;
    private final int holdFor;
    private final int flapCount;
    private final int flapWindow;
    private final List<SimpleRule> rules;
    private final List<Integer> changes = new ArrayList<>();
    private boolean problem;
    private @Nullable ConditionStatus status;
    private String reason = "";
    private int since;

    SimpleCondition(
        String type, int holdFor, int flapCount, int flapWindow, List<SimpleRule> rules) {
      this.type = type;
      this.holdFor = holdFor;
      this.flapCount = flapCount;
      this.flapWindow = flapWindow;
      this.rules = rules;
    }

    List<SimpleRule> rules() {
      return rules;
    }

    /** As a file has it; single quotes stand for double ones. */
    String spec() {
      return "{'type': '%s', 'reason': 'Well', 'message': '', 'holdFor': '%ds', 'flapCount': %d, 'flapWindow': '%ds'}"
          .formatted(type, holdFor, flapCount, flapWindow);
    }

    String told() {
      return status == null ? "nothing" : status + " " + reason + " since " + since;
    }

    void second(int now) {
      rules.forEach(rule -> rule.second(now));
      decide(now);
    }

    void see(SimpleRule seen, Evidence evidence, int now) {
      for (SimpleRule rule : rules) {
        if (rule == seen) {
          rule.see(evidence, now);
        } else if (rule.terms.log()
            && evidence instanceof Evidence.Reported report
            && report.status() == FALSE) {
          rule.see(new Evidence.Cleared(), now);
        }
        rule.second(now);
      }
      decide(now);
    }

    private void decide(int now) {
      List<@Nullable ConditionStatus> says =
          rules.stream().<@Nullable ConditionStatus>map(rule -> rule.says(holdFor, now)).toList();
      int worst = says.indexOf(TRUE);
      if (worst < 0 && says.stream().anyMatch(Objects::isNull)) {
        return;
      }
      boolean bad = worst >= 0;
      ConditionStatus next = bad ? TRUE : FALSE;
      String why = bad ? rules.get(worst).terms.id() : "Well";
      if (!bad && says.contains(UNKNOWN)) {
        next = UNKNOWN;
        why = rules.get(says.indexOf(UNKNOWN)).lostAt >= 0 ? "NotObserved" : "Well";
      }
      changes.removeIf(change -> now - change >= flapWindow);
      if (status != null && bad != problem) {
        changes.add(now);
      }
      problem = bad;
      if (flapCount > 0 && changes.size() >= flapCount) {
        next = TRUE;
        why = "Flapping";
      }
      if (next != status) {
        since = now;
      }
      status = next;
      reason = why;
    }
  }

  /** One rule. */
  static final class SimpleRule {
    final Terms terms;
    private final List<Integer> matches = new ArrayList<>();
    private @Nullable ConditionStatus settled;
    private int settledAt;
    private @Nullable ConditionStatus waiting;
    private int waitingSince;
    private boolean standing;
    private int lostAt = -1;

    SimpleRule(Terms terms) {
      this.terms = terms;
    }

    @Nullable ConditionStatus says(int holdFor, int now) {
      return lostAt >= 0 && now - lostAt >= holdFor ? UNKNOWN : settled;
    }

    void second(int now) {
      if (waiting != null && standing && now - waitingSince >= terms.debounce()) {
        settle(waiting, now);
      }
      if (settled == TRUE && terms.clearAfter() > 0) {
        int last = matches.isEmpty() ? settledAt : matches.getLast();
        if (now - last >= terms.clearAfter()) {
          matches.clear();
          settle(FALSE, now);
        }
      }
    }

    void see(Evidence evidence, int now) {
      if (!(evidence instanceof Evidence.Lost || evidence instanceof Evidence.Unavailable)) {
        lostAt = -1;
      }
      switch (evidence) {
        case Evidence.Unavailable _, Evidence.Lost _ -> lostAt = lostAt < 0 ? now : lostAt;
        case Evidence.Watching() -> {
          if (settled == null) {
            settled = FALSE;
            settledAt = now;
          }
        }
        case Evidence.Cleared _ -> {
          matches.clear();
          propose(FALSE, true, now);
        }
        case Evidence.Matched _ -> {
          matches.removeIf(match -> terms.minCount() == 1 || now - match > terms.window());
          matches.add(now);
          while (matches.size() > terms.minCount()) {
            matches.removeFirst();
          }
          if (matches.size() == terms.minCount()) {
            propose(TRUE, true, now);
          }
        }
        case Evidence.Reported report -> {
          if (report.status() == TRUE && terms.clearAfter() > 0) {
            matches.clear();
            matches.add(now);
          }
          propose(report.status(), false, now);
        }
        case Evidence.Hanging _ -> {
          if (settled != TRUE) {
            settled = UNKNOWN;
            propose(TRUE, true, now);
          } else {
            waiting = null;
          }
        }
      }
    }

    private void propose(ConditionStatus status, boolean byItself, int now) {
      if (status == settled) {
        waiting = null;
      } else if (status == UNKNOWN
          || terms.debounce() == 0
          || (settled == null && status == FALSE)) {
        settle(status, now);
      } else {
        waitingSince = status == waiting ? waitingSince : now;
        waiting = status;
        standing = byItself;
        if (now - waitingSince >= terms.debounce()) {
          settle(status, now);
        }
      }
    }

    private void settle(ConditionStatus status, int now) {
      settled = status;
      settledAt = now;
      waiting = null;
    }
  }
}
