package io.probelet.nodehealth.readiness.controller;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.nodehealth.readiness.NodeReadinessRule;
import io.probelet.nodehealth.readiness.RuleSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** All rules by name, and which of them are carried out. Used only on the loop's thread. */
final class RuleTable {
  /** Maximum number of known rules; beyond it the set is incomplete (NRR-12). */
  static final int MAX_KNOWN = 1_000;

  private final Map<String, Entry> byName = new TreeMap<>();
  private RuleSet set = new RuleSet(List.of(), true);
  private boolean overflow;

  /** One rule. */
  static final class Entry {
    private NodeReadinessRule rule;
    private boolean busy;
    private int failures;
    private @Nullable ObjectNode written;
    private String told = "";
    private boolean truncated;
    private long shown;

    private Entry(NodeReadinessRule rule) {
      this.rule = rule;
    }

    NodeReadinessRule rule() {
      return rule;
    }

    /** {@return whether no write is under way, and none has to wait} */
    boolean isFree() {
      return !busy;
    }

    void begin() {
      busy = true;
    }

    void end() {
      busy = false;
    }

    int failed() {
      return ++failures;
    }

    void succeeded() {
      failures = 0;
    }

    /** The status that was written last; null before the first write of this term. */
    @Nullable ObjectNode written() {
      return written;
    }

    void wrote(ObjectNode status) {
      written = status;
    }

    /** {@return whether the status leaves out nodes, and did not before} */
    boolean truncates(boolean now) {
      boolean news = now && !truncated;
      truncated = now;
      return news;
    }

    /** {@return whether its spec was not seen before} */
    boolean isNewSpec() {
      boolean news = rule.generation() != shown;
      shown = rule.generation();
      return news;
    }

    /** {@return whether a text is another than the one before, and not empty} */
    boolean tell(String text) {
      boolean news = !text.isEmpty() && !text.equals(told);
      told = text;
      return news;
    }
  }

  Collection<Entry> all() {
    return byName.values();
  }

  RuleSet set() {
    return set;
  }

  boolean isCarriedOut(Entry entry) {
    return set.rules().stream().anyMatch(rule -> rule.name().equals(entry.rule.name()));
  }

  /** {@return the entry if nodes have to be decided about again; null otherwise} */
  @Nullable Entry changed(NodeReadinessRule rule) {
    Entry known = byName.get(rule.name());
    if (known != null && known.rule.uid().equals(rule.uid())) {
      boolean same = isSame(known.rule, rule);
      known.rule = rule;
      if (same) {
        return null;
      }
      rebuild();
      return known;
    }
    if (known == null && byName.size() >= MAX_KNOWN) {
      overflow = true;
      rebuild();
      return null;
    }
    Entry entry = new Entry(rule);
    byName.put(rule.name(), entry);
    rebuild();
    return entry;
  }

  /** Whether only the status or another's metadata has changed. */
  private static boolean isSame(NodeReadinessRule one, NodeReadinessRule other) {
    return one.generation() == other.generation()
        && one.deleting() == other.deleting()
        && one.finalizers().equals(other.finalizers());
  }

  /** {@return whether it was known} */
  boolean gone(NodeReadinessRule rule) {
    Entry known = byName.get(rule.name());
    if (known == null || !known.rule.uid().equals(rule.uid())) {
      return false;
    }
    byName.remove(rule.name());
    rebuild();
    return true;
  }

  boolean isKnown(Entry entry) {
    return byName.get(entry.rule.name()) == entry;
  }

  /** Rules that are being deleted do not count, so that deleting some helps. */
  private void rebuild() {
    List<NodeReadinessRule> rules = new ArrayList<>();
    int live = 0;
    for (Entry entry : byName.values()) {
      if (entry.rule.deleting() || live < RuleSet.MAX_RULES) {
        rules.add(entry.rule);
      }
      live += entry.rule.deleting() ? 0 : 1;
    }
    set = new RuleSet(rules, live <= RuleSet.MAX_RULES && !overflow);
  }
}
