package io.probelet.nodehealth.wire;

import io.probelet.health.ShortText;
import io.probelet.kube.MaintenanceNote;
import io.probelet.kube.watch.Item;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.Machine;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.remediation.NodeFacts.NodeTaint;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A partly read node, from any encoding. */
final class NodeDraft {
  private static final String OPENSHIFT_MACHINE = "machine.openshift.io/machine";
  private static final String CLUSTER_API_MACHINE = "cluster.x-k8s.io/machine";
  private static final String CLUSTER_API_NAMESPACE = "cluster.x-k8s.io/cluster-namespace";
  private static final int MAX_APPROVED_CHARS = 1100;
  private static final int MAX_NOTE_CHARS = 128;

  private final SharedTexts texts;
  private final Function<String, @Nullable NodeFacts> known;
  private String name = "";
  private @Nullable NodeFacts before;
  private Map<String, String> labels = Map.of();
  String uid = "";
  String version = "";
  Instant created = Instant.EPOCH;
  final Map<String, String> annotations = new HashMap<>();
  final List<NodeCondition> conditions = new ArrayList<>();
  final List<NodeTaint> taints = new ArrayList<>(0);

  NodeDraft(SharedTexts texts, Function<String, @Nullable NodeFacts> known) {
    this.texts = texts;
    this.known = known;
  }

  void name(String read) {
    name = read;
    before = known.apply(read);
  }

  boolean hasName() {
    return !name.isEmpty();
  }

  /**
   * Sets the labels; unchanged labels share memory with the previous ones.
   *
   * @param pairs each key followed by its value
   */
  void labels(List<String> pairs) {
    if (before != null && areSame(before.labels(), pairs)) {
      labels = before.labels();
      return;
    }
    labels = HashMap.newHashMap(pairs.size() / 2);
    for (int i = 0; i < pairs.size(); i += 2) {
      labels.put(texts.once(pairs.get(i)), texts.once(pairs.get(i + 1)));
    }
  }

  private static boolean areSame(Map<String, String> labels, List<String> pairs) {
    if (2 * labels.size() != pairs.size()) {
      return false;
    }
    for (int i = 0; i < pairs.size(); i += 2) {
      if (!pairs.get(i + 1).equals(labels.get(pairs.get(i)))) {
        return false;
      }
    }
    return true;
  }

  /** {@return whether plans use an annotation of this name} */
  static boolean isRead(String annotation) {
    return switch (annotation) {
      case WireNames.CONFIRMED_HEALTHY,
          RemediationPolicy.APPROVED,
          MaintenanceNote.ANNOTATION,
          OPENSHIFT_MACHINE,
          CLUSTER_API_MACHINE,
          CLUSTER_API_NAMESPACE ->
          true;
      default -> false;
    };
  }

  Item<NodeFacts> item() {
    NodeFacts facts =
        new NodeFacts(
            name,
            uid,
            created,
            labels,
            conditions,
            taints,
            annotations.containsKey(WireNames.CONFIRMED_HEALTHY),
            machine(),
            approved(),
            null,
            note());
    // Usually nothing has changed; equal instances make comparisons fast.
    NodeFacts kept = before != null && before.equals(facts) ? before : facts;
    return new Item<>(null, name, uid, version, kept);
  }

  /** Longer texts are never known names. */
  private @Nullable String approved() {
    String kinds = annotations.get(RemediationPolicy.APPROVED);
    return kinds == null || kinds.length() > MAX_APPROVED_CHARS ? null : kinds;
  }

  /** A longer text is not the controller's, and is replaced. */
  private @Nullable String note() {
    String note = annotations.get(MaintenanceNote.ANNOTATION);
    return note == null ? null : ShortText.of(note, MAX_NOTE_CHARS);
  }

  /** OpenShift's machine, or Cluster API's. */
  private @Nullable Machine machine() {
    String openshift = annotations.get(OPENSHIFT_MACHINE);
    if (openshift != null) {
      int slash = openshift.indexOf('/');
      return slash < 0
          ? null
          : machine(
              "machine.openshift.io/v1beta1",
              openshift.substring(0, slash),
              openshift.substring(slash + 1));
    }
    String machine = annotations.get(CLUSTER_API_MACHINE);
    String namespace = annotations.get(CLUSTER_API_NAMESPACE);
    return machine == null || namespace == null
        ? null
        : machine("cluster.x-k8s.io/v1beta1", namespace, machine);
  }

  private static Machine machine(String apiVersion, String namespace, String name) {
    return new Machine(new ObjectRef(apiVersion, "Machine", namespace, name), "");
  }

  /** Shared instances of texts that many nodes have. Thread-safe. */
  static final class SharedTexts {
    private static final int MAX_TEXTS = 20_000;

    private final Map<String, String> texts = new ConcurrentHashMap<>();

    /** {@return an equal text, always the same instance} */
    String once(String text) {
      String known = texts.get(text);
      if (known != null) {
        return known;
      }
      if (texts.size() > MAX_TEXTS) {
        texts.clear();
      }
      texts.put(text, text);
      return text;
    }
  }
}
