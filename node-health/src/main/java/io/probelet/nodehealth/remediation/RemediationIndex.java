package io.probelet.nodehealth.remediation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;

/**
 * All remediation resources of all kinds in use, found by node; kept up to date one by one (RB-1).
 *
 * <p>Not safe for use by several threads.
 */
public final class RemediationIndex {
  private static final Comparator<ObservedRemediation> OLDEST_FIRST =
      Comparator.comparing(ObservedRemediation::created)
          .thenComparing(remediation -> remediation.ref().kind())
          .thenComparing(remediation -> remediation.ref().name())
          .thenComparing(ObservedRemediation::uid);

  private final Map<String, ObservedRemediation> byUid = new TreeMap<>();
  private final NavigableMap<String, List<ObservedRemediation>> byNode = new TreeMap<>();
  private final Map<String, List<ObservedRemediation>> byName = new TreeMap<>();
  private final Map<String, ObservedRemediation> controlPlane = new TreeMap<>();

  /** Begins empty. */
  public RemediationIndex() {}

  /**
   * Takes all at once.
   *
   * @param remediations all remediations
   * @return the index
   */
  public static RemediationIndex of(Collection<ObservedRemediation> remediations) {
    RemediationIndex index = new RemediationIndex();
    remediations.forEach(index::observe);
    return index;
  }

  /**
   * Takes a new or changed remediation.
   *
   * @param remediation as it is now
   * @return whether it is new or has changed
   */
  public boolean observe(ObservedRemediation remediation) {
    if (remediation.equals(byUid.get(remediation.uid()))) {
      return false;
    }
    forget(remediation.uid());
    byUid.put(remediation.uid(), remediation);
    insert(byNode, remediation.nodeName(), remediation);
    insert(byName, remediation.ref().name(), remediation);
    if (remediation.isForControlPlane()) {
      controlPlane.put(remediation.uid(), remediation);
    }
    return true;
  }

  /**
   * Takes a remediation's end.
   *
   * @param uid its unique identifier; unknown ones do no harm
   */
  public void forget(String uid) {
    ObservedRemediation gone = byUid.remove(uid);
    if (gone != null) {
      remove(byNode, gone.nodeName(), gone);
      remove(byName, gone.ref().name(), gone);
      controlPlane.remove(uid);
    }
  }

  /** {@return all of them} */
  public Collection<ObservedRemediation> all() {
    return Collections.unmodifiableCollection(byUid.values());
  }

  /** {@return the names of the nodes that have any, sorted; a view} */
  Set<String> nodes() {
    return Collections.unmodifiableSet(byNode.keySet());
  }

  /** {@return the remediations of a node, oldest first} */
  List<ObservedRemediation> ofNode(String node) {
    return byNode.getOrDefault(node, List.of());
  }

  /**
   * {@return those that are for a node or merely have its name, which blocks it for ours }
   */
  Collection<ObservedRemediation> around(String node) {
    Set<ObservedRemediation> both = new LinkedHashSet<>(ofNode(node));
    both.addAll(byName.getOrDefault(node, List.of()));
    return both;
  }

  /** {@return the remediations of control-plane nodes } */
  Collection<ObservedRemediation> ofControlPlane() {
    return controlPlane.values();
  }

  private static void insert(
      Map<String, List<ObservedRemediation>> lists, String key, ObservedRemediation remediation) {
    List<ObservedRemediation> list = lists.computeIfAbsent(key, _ -> new ArrayList<>(1));
    list.add(remediation);
    list.sort(OLDEST_FIRST);
  }

  private static void remove(
      Map<String, List<ObservedRemediation>> lists, String key, ObservedRemediation remediation) {
    List<ObservedRemediation> list = lists.get(key);
    if (list != null) {
      list.remove(remediation);
      if (list.isEmpty()) {
        lists.remove(key);
      }
    }
  }
}
