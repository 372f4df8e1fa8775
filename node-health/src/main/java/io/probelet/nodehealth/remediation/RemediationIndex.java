package io.probelet.nodehealth.remediation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Set;
import org.pcollections.TreePMap;

/**
 * All remediation resources of all kinds in use, indexed by node. A value: each change returns a
 * new index that shares unchanged parts with the old one (RB-1).
 */
public final class RemediationIndex {
  /** Without any. */
  public static final RemediationIndex EMPTY =
      new RemediationIndex(TreePMap.empty(), TreePMap.empty(), TreePMap.empty(), TreePMap.empty());

  private static final Comparator<ObservedRemediation> OLDEST_FIRST =
      Comparator.comparing(ObservedRemediation::created)
          .thenComparing(remediation -> remediation.ref().kind())
          .thenComparing(remediation -> remediation.ref().name())
          .thenComparing(ObservedRemediation::uid);

  private final TreePMap<String, ObservedRemediation> byUid;
  private final TreePMap<String, List<ObservedRemediation>> byNode;
  private final TreePMap<String, List<ObservedRemediation>> byName;
  private final TreePMap<String, ObservedRemediation> controlPlane;

  private RemediationIndex(
      TreePMap<String, ObservedRemediation> byUid,
      TreePMap<String, List<ObservedRemediation>> byNode,
      TreePMap<String, List<ObservedRemediation>> byName,
      TreePMap<String, ObservedRemediation> controlPlane) {
    this.byUid = byUid;
    this.byNode = byNode;
    this.byName = byName;
    this.controlPlane = controlPlane;
  }

  /**
   * Indexes remediations.
   *
   * @param remediations all remediations
   */
  public static RemediationIndex of(Collection<ObservedRemediation> remediations) {
    RemediationIndex index = EMPTY;
    for (ObservedRemediation remediation : remediations) {
      index = index.with(remediation);
    }
    return index;
  }

  /**
   * Adds or replaces a remediation.
   *
   * @return the index with it; this index if it is unchanged
   */
  public RemediationIndex with(ObservedRemediation remediation) {
    String uid = remediation.uid();
    if (remediation.equals(byUid.get(uid))) {
      return this;
    }
    RemediationIndex others = without(uid);
    return new RemediationIndex(
        others.byUid.plus(uid, remediation),
        plus(others.byNode, remediation.nodeName(), remediation),
        plus(others.byName, remediation.ref().name(), remediation),
        remediation.isForControlPlane()
            ? others.controlPlane.plus(uid, remediation)
            : others.controlPlane);
  }

  /**
   * Removes a remediation.
   *
   * @param uid its unique identifier; may be unknown
   * @return the index without it
   */
  public RemediationIndex without(String uid) {
    ObservedRemediation gone = byUid.get(uid);
    return gone == null
        ? this
        : new RemediationIndex(
            byUid.minus(uid),
            minus(byNode, gone.nodeName(), gone),
            minus(byName, gone.ref().name(), gone),
            controlPlane.minus(uid));
  }

  /** {@return all of them} */
  public Collection<ObservedRemediation> all() {
    return byUid.values();
  }

  /** {@return the remediations of each node that has any, oldest first; sorted by node} */
  NavigableMap<String, List<ObservedRemediation>> byNode() {
    return byNode;
  }

  /** {@return the names of the nodes that have any, sorted} */
  public NavigableSet<String> nodes() {
    return byNode.keySet();
  }

  /** {@return the remediations of a node, oldest first} */
  public List<ObservedRemediation> ofNode(String node) {
    return byNode.getOrDefault(node, List.of());
  }

  /** {@return those for a node, and those that merely have its name, which block ours } */
  Collection<ObservedRemediation> around(String node) {
    Set<ObservedRemediation> both = new LinkedHashSet<>(ofNode(node));
    both.addAll(byName.getOrDefault(node, List.of()));
    return both;
  }

  /** {@return the remediations of control-plane nodes } */
  Collection<ObservedRemediation> ofControlPlane() {
    return controlPlane.values();
  }

  private static TreePMap<String, List<ObservedRemediation>> plus(
      TreePMap<String, List<ObservedRemediation>> lists,
      String key,
      ObservedRemediation remediation) {
    List<ObservedRemediation> list = new ArrayList<>(lists.getOrDefault(key, List.of()));
    list.add(remediation);
    list.sort(OLDEST_FIRST);
    return lists.plus(key, List.copyOf(list));
  }

  private static TreePMap<String, List<ObservedRemediation>> minus(
      TreePMap<String, List<ObservedRemediation>> lists,
      String key,
      ObservedRemediation remediation) {
    List<ObservedRemediation> rest =
        lists.getOrDefault(key, List.of()).stream()
            .filter(other -> !other.equals(remediation))
            .toList();
    return rest.isEmpty() ? lists.minus(key) : lists.plus(key, rest);
  }
}
