package io.probelet.nodehealth.policy;

import io.probelet.nodehealth.policy.PolicyFacts.State;
import java.time.Instant;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The policies of a cluster with their counts, updated incrementally: how many nodes each selects,
 * and which remediations were started, including those that its status does not show yet.
 *
 * <p>Not thread-safe.
 */
public final class PolicyBook {
  private final NavigableMap<String, Entry> entries = new TreeMap<>();

  /** Starts without policies. */
  public PolicyBook() {}

  private static final class Entry {
    private final RemediationPolicy policy;
    private int nodes;
    private Set<PastRemediation> seen = Set.of();
    private final Set<PastRemediation> unseen = new HashSet<>();
    private @Nullable State state;

    Entry(RemediationPolicy policy) {
      this.policy = policy;
    }

    State state() {
      if (state == null) {
        state =
            new State(
                policy,
                nodes,
                Stream.concat(seen.stream(), unseen.stream())
                    .sorted(PastRemediation.OLDEST_FIRST)
                    .toList());
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
   * @param nodes the labels of all nodes; read only if the policy's selector changed
   * @return whether the selected nodes or the limits changed
   */
  public boolean put(
      RemediationPolicy policy,
      Collection<PastRemediation> seen,
      Iterable<Map<String, String>> nodes) {
    Entry old = entries.get(policy.name());
    Entry entry = new Entry(policy);
    entry.seen = Set.copyOf(seen);
    boolean respecified = old == null || !old.policy.equals(policy);
    if (old != null && old.policy.uid().equals(policy.uid())) {
      entry.unseen.addAll(old.unseen);
      entry.unseen.removeAll(entry.seen);
    }
    if (old != null && old.policy.selector().equals(policy.selector())) {
      entry.nodes = old.nodes;
    } else {
      nodes.forEach(labels -> entry.nodes += policy.selector().matches(labels) ? 1 : 0);
    }
    entries.put(policy.name(), entry);
    return respecified;
  }

  /** Removes a policy. */
  public void remove(String name) {
    entries.remove(name);
  }

  /**
   * Applies a new, changed or deleted node.
   *
   * @param before its previous labels; null if it is new
   * @param now its labels; null if it was deleted
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
   * Counts a remediation before the policy's status shows it.
   *
   * @param policy the policy's name; a deleted policy counts nothing
   */
  public void count(String policy, PastRemediation past) {
    Entry entry = entries.get(policy);
    if (entry != null && !entry.seen.contains(past)) {
      entry.unseen.add(past);
      entry.unseen.retainAll(PolicyHistory.kept(entry.unseen, entry.policy.limits(), past.time()));
      entry.state = null;
    }
  }

  /** Removes a count that is known not to be in the policy's status. */
  public void uncount(String policy, PastRemediation past) {
    Entry entry = entries.get(policy);
    if (entry != null && entry.unseen.remove(past)) {
      entry.state = null;
    }
  }

  /**
   * Finds the entries of a policy's status that no limit needs any more.
   *
   * @param name the policy's name
   * @return their keys, in order
   */
  public List<String> expired(String name, Instant now) {
    Entry entry = entries.get(name);
    return entry == null
        ? List.of()
        : entry.seen.stream()
            .filter(each -> PolicyHistory.isExpired(each, entry.policy.limits(), now))
            .map(PastRemediation::key)
            .sorted()
            .toList();
  }

  /**
   * Returns the current facts.
   *
   * @param atWork the nodes with a remediation, each once
   */
  public PolicyFacts facts(Collection<PolicyNode> atWork) {
    return entries.isEmpty()
        ? PolicyFacts.NONE
        : new PolicyFacts(
            entries.values().stream().map(Entry::state).toList(), List.copyOf(atWork), null);
  }

  /**
   * Finds a policy with its counts.
   *
   * @return the policy; empty if there is none of this name
   */
  public Optional<State> find(String name) {
    return Optional.ofNullable(entries.get(name)).map(Entry::state);
  }
}
