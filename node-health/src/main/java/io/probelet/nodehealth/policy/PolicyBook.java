package io.probelet.nodehealth.policy;

import io.probelet.nodehealth.policy.PolicyFacts.State;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a cluster and what they count, kept as things change: how many nodes each
 * selects, and which remediations were begun, those among them that are not yet seen in its status.
 *
 * <p>Not safe for use by several threads.
 */
public final class PolicyBook {
  private final NavigableMap<String, Entry> entries = new TreeMap<>();

  /** Begins without any policy. */
  public PolicyBook() {}

  private static final class Entry {
    private final RemediationPolicy policy;
    private int nodes;
    private Map<String, PastRemediation> seen = Map.of();
    private final Map<String, PastRemediation> unseen = new HashMap<>();
    private @Nullable State state;

    Entry(RemediationPolicy policy) {
      this.policy = policy;
    }

    State state() {
      if (state == null) {
        Map<String, PastRemediation> all = new TreeMap<>(seen);
        all.putAll(unseen);
        state = new State(policy, nodes, List.copyOf(all.values()));
      }
      return state;
    }
  }

  /** {@return whether there is no policy} */
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /** {@return the names of the policies} */
  public Collection<String> names() {
    return List.copyOf(entries.keySet());
  }

  /**
   * Adds or replaces a policy.
   *
   * @param nodes the labels of all nodes; read only if the policy selects others than before
   * @return whether other nodes, or other limits, count now
   */
  public boolean put(
      RemediationPolicy policy,
      Collection<PastRemediation> seen,
      Iterable<Map<String, String>> nodes) {
    Entry old = entries.get(policy.name());
    Entry entry = new Entry(policy);
    entry.seen = byKey(seen);
    boolean respecified = old == null || !old.policy.equals(policy);
    if (old != null && old.policy.uid().equals(policy.uid())) {
      entry.unseen.putAll(old.unseen);
      entry.unseen.keySet().removeAll(entry.seen.keySet());
    }
    if (old != null && old.policy.selector().equals(policy.selector())) {
      entry.nodes = old.nodes;
    } else {
      nodes.forEach(labels -> entry.nodes += policy.selector().matches(labels) ? 1 : 0);
    }
    entries.put(policy.name(), entry);
    return respecified;
  }

  private static Map<String, PastRemediation> byKey(Collection<PastRemediation> all) {
    Map<String, PastRemediation> byKey = HashMap.newHashMap(all.size());
    all.forEach(past -> byKey.put(past.key(), past));
    return byKey;
  }

  /** Removes a policy. */
  public void remove(String name) {
    entries.remove(name);
  }

  /**
   * Takes a node that is new, changed or gone.
   *
   * @param before its labels as they were; null if it is new
   * @param now its labels; null if it is gone
   * @return whether any policy selects another number of nodes now
   */
  public boolean nodeChanged(
      @Nullable Map<String, String> before, @Nullable Map<String, String> now) {
    boolean changed = false;
    for (Entry entry : entries.values()) {
      int delta = selects(entry, now) - selects(entry, before);
      if (delta != 0) {
        entry.nodes += delta;
        entry.state = null;
        changed = true;
      }
    }
    return changed;
  }

  private static int selects(Entry entry, @Nullable Map<String, String> labels) {
    return labels != null && entry.policy.selector().matches(labels) ? 1 : 0;
  }

  /**
   * Counts a remediation from now on, before the policy's status shows it.
   *
   * @param policy the policy's name; one that is gone counts nothing
   */
  public void count(String policy, PastRemediation past) {
    Entry entry = entries.get(policy);
    if (entry != null && !entry.seen.containsKey(past.key())) {
      entry.unseen.put(past.key(), past);
      entry
          .unseen
          .values()
          .retainAll(PolicyHistory.kept(entry.unseen.values(), entry.policy.limits(), past.time()));
      entry.state = null;
    }
  }

  /** Counts a remediation no more that is known not to be in the policy's status. */
  public void uncount(String policy, PastRemediation past) {
    Entry entry = entries.get(policy);
    if (entry != null && entry.unseen.remove(past.key()) != null) {
      entry.state = null;
    }
  }

  /**
   * Shows what is known now.
   *
   * @param atWork the nodes on which a remediation is at work, each once
   */
  public PolicyFacts facts(Collection<PolicyNode> atWork) {
    return entries.isEmpty()
        ? PolicyFacts.NONE
        : new PolicyFacts(
            entries.values().stream().map(Entry::state).toList(), List.copyOf(atWork), null);
  }

  /**
   * Finds a policy and what it counts.
   *
   * @return the policy; empty if there is none of this name
   */
  public Optional<State> find(String name) {
    return Optional.ofNullable(entries.get(name)).map(Entry::state);
  }
}
