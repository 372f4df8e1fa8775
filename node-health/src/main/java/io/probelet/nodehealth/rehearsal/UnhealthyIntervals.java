package io.probelet.nodehealth.rehearsal;

import io.probelet.nodehealth.rehearsal.RehearsalTotals.Listed;
import io.probelet.nodehealth.rehearsal.RehearsalTotals.Outcome;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The unhealthy intervals of one column: from the first unhealthy condition of a node until it has
 * none, with the actions meanwhile (TP-5 to TP-7).
 *
 * <p>Not thread-safe.
 */
final class UnhealthyIntervals {
  private final Duration heals;
  private final Map<String, Spell> open = new HashMap<>();
  private final Set<String> remediated = new HashSet<>();
  private final Map<Outcome, Long> outcomes = new EnumMap<>(Outcome.class);
  private final List<Entry> first = new ArrayList<>();
  private Duration unhealthy = Duration.ZERO;
  private Duration estimate = Duration.ZERO;
  private long remediations;

  /** A remediation whose interval has not ended yet. */
  private static final class Entry {
    private final Instant at;
    private final String node;
    private final String kind;
    private final String check;
    private Outcome outcome = Outcome.NOT_OVER;
    private @Nullable Instant over;

    Entry(Instant at, String node, String kind, String check) {
      this.at = at;
      this.node = node;
      this.kind = kind;
      this.check = check;
    }
  }

  private static final class Spell {
    private final Instant from;
    private boolean helped;
    private @Nullable Instant created;
    private Duration time = Duration.ZERO;
    private final List<Entry> entries = new ArrayList<>(0);

    Spell(Instant from) {
      this.from = from;
    }
  }

  /**
   * Starts without intervals.
   *
   * @param heals assumed time from a remediation's creation until its node is healthy
   */
  UnhealthyIntervals(Duration heals) {
    this.heals = heals;
  }

  /**
   * Applies the current state of a node.
   *
   * @param helped whether it gets known help
   */
  void node(NodeFacts node, Collection<NodeHealthCheck> checks, Instant now, boolean helped) {
    Spell spell = open.get(node.name());
    if (isDown(node, checks, spell != null)) {
      if (spell == null) {
        spell = new Spell(now);
        open.put(node.name(), spell);
      }
      spell.helped |= helped;
    } else if (spell != null) {
      end(node.name(), now, null);
    }
  }

  void gone(String node, Instant now) {
    if (open.containsKey(node)) {
      end(node, now, Outcome.DELETED);
    }
  }

  /** A node gets help: a recorded remediation, or a cordon. */
  void helped(String node) {
    Spell spell = open.get(node);
    if (spell != null) {
      spell.helped = true;
    }
  }

  /**
   * A remediation was created.
   *
   * @param time the remediation's time (TP-6)
   */
  void remediated(String node, String kind, String check, Instant now, Duration time) {
    remediations++;
    remediated.add(node);
    // A node that never reported has no unhealthy condition.
    Spell spell = open.computeIfAbsent(node, _ -> new Spell(now));
    if (spell.created == null) {
      spell.created = now;
      spell.time = time;
    }
    if (first.size() < RehearsalTotals.MAX_LISTED) {
      Entry entry = new Entry(now, node, kind, check);
      first.add(entry);
      spell.entries.add(entry);
    }
  }

  void finish(Instant end) {
    for (String node : List.copyOf(open.keySet())) {
      end(node, end, Outcome.NOT_OVER);
    }
  }

  Map<Outcome, Long> outcomes() {
    return outcomes;
  }

  long remediations() {
    return remediations;
  }

  int nodes() {
    return remediated.size();
  }

  Duration unhealthy() {
    return unhealthy;
  }

  Duration estimate() {
    return estimate;
  }

  List<Listed> first() {
    return first.stream()
        .map(entry ->
            new Listed(entry.at, entry.node, entry.kind, entry.check, entry.outcome, entry.over))
        .toList();
  }

  private void end(String node, Instant now, @Nullable Outcome forced) {
    Spell spell = open.remove(node);
    if (spell == null) {
      return;
    }
    Duration lasted = Duration.between(spell.from, now);
    unhealthy = unhealthy.plus(lasted);
    Instant created = spell.created;
    if (created == null) {
      estimate = estimate.plus(lasted);
      return;
    }
    // TP-7: a remediation heals after a fixed time, unless the node was healthy before.
    Instant healed = created.plus(heals);
    Duration estimated = Duration.between(spell.from, healed.isBefore(now) ? healed : now);
    estimate = estimate.plus(estimated);
    Outcome outcome = forced == null ? outcome(spell, created, now) : forced;
    outcomes.merge(outcome, 1L, Long::sum);
    for (Entry entry : spell.entries) {
      entry.outcome = outcome;
      entry.over = outcome == Outcome.NOT_OVER ? null : now;
    }
  }

  /** TP-6: whether waiting would have been enough. */
  private static Outcome outcome(Spell spell, Instant created, Instant now) {
    if (now.isAfter(created.plus(spell.time))) {
      return Outcome.LATER;
    }
    return spell.helped ? Outcome.WITH_HELP : Outcome.BY_ITSELF;
  }

  /** TP-5: a condition that a NodeHealthCheck lists, however short. */
  private static boolean isDown(
      NodeFacts node, Collection<NodeHealthCheck> checks, boolean already) {
    for (NodeHealthCheck check : checks) {
      if (check.spec().selector().matches(node.labels()) && isDown(node, check)) {
        return true;
      }
    }
    return already && !node.hasReadyCondition();
  }

  private static boolean isDown(NodeFacts node, NodeHealthCheck check) {
    return check.spec().unhealthyConditions().stream().anyMatch(node::meets);
  }
}
