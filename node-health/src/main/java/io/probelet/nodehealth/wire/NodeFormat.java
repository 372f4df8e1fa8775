package io.probelet.nodehealth.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.kube.WireTime;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.remediation.NodeFacts.Machine;
import io.probelet.nodehealth.remediation.NodeFacts.NodeCondition;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.WireNames;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads of nodes what plans need, and keeps each text once however many nodes have it. Images,
 * which are most of a node, come after what matters and are not read at all.
 */
public final class NodeFormat implements Format<NodeFacts> {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String OPENSHIFT_MACHINE = "machine.openshift.io/machine";
  private static final String CLUSTER_API_MACHINE = "cluster.x-k8s.io/machine";
  private static final String CLUSTER_API_NAMESPACE = "cluster.x-k8s.io/cluster-namespace";
  private static final int MAX_TEXTS = 20_000;
  private static final int PAIRS = 64;
  private static final int MAX_APPROVED_CHARS = 1100;

  private final Map<String, String> texts = new ConcurrentHashMap<>();

  /** Begins without any texts. */
  public NodeFormat() {}

  /** A node of which some has been read. */
  private static final class Draft {
    private String name = "";
    private String uid = "";
    private String version = "";
    private @Nullable NodeFacts before;
    private Instant created = Instant.EPOCH;
    private Map<String, String> labels = Map.of();
    private final Map<String, String> annotations = new HashMap<>();
    private List<NodeCondition> conditions = List.of();
  }

  /**
   * Reads one of which others want more.
   *
   * @param node the whole object
   * @param before as for a parser
   * @return what plans need of it
   * @throws IOException if it is no object of this kind
   */
  public Item<NodeFacts> read(JsonNode node, Function<String, @Nullable NodeFacts> before)
      throws IOException {
    if (!node.isObject()) {
      throw new IOException("something that is no Node");
    }
    try (JsonParser again = node.traverse(JSON)) {
      again.nextToken();
      return read(again, before);
    }
  }

  @Override
  public Item<NodeFacts> read(JsonParser object, Function<String, @Nullable NodeFacts> before)
      throws IOException {
    Draft draft = new Draft();
    for (String field = first(object); field != null; field = next(object)) {
      switch (field) {
        case "metadata" -> readMetadata(object, draft, before);
        case "status" -> {
          if (readStatus(object, draft)) {
            return item(draft);
          }
        }
        default -> object.skipChildren();
      }
    }
    return item(draft);
  }

  private static Item<NodeFacts> item(Draft draft) {
    NodeFacts facts =
        new NodeFacts(
            draft.name,
            draft.uid,
            draft.created,
            draft.labels,
            draft.conditions,
            draft.annotations.containsKey(WireNames.CONFIRMED_HEALTHY),
            machine(draft.annotations),
            approved(draft.annotations));
    // Mostly nothing has changed; then who compares sees it at a glance.
    NodeFacts before = draft.before;
    NodeFacts kept = before != null && before.equals(facts) ? before : facts;
    return new Item<>(null, draft.name, draft.uid, draft.version, kept);
  }

  private void readMetadata(
      JsonParser object, Draft draft, Function<String, @Nullable NodeFacts> before)
      throws IOException {
    for (String field = first(object); field != null; field = next(object)) {
      switch (field) {
        case "name" -> {
          draft.name = text(object);
          draft.before = before.apply(draft.name);
        }
        case "uid" -> draft.uid = text(object);
        case "resourceVersion" -> draft.version = text(object);
        case "creationTimestamp" -> draft.created = moment(object);
        case "labels" -> readLabels(object, draft);
        case "annotations" -> readAnnotations(object, draft);
        default -> object.skipChildren();
      }
    }
  }

  private void readLabels(JsonParser object, Draft draft) throws IOException {
    List<String> pairs = new ArrayList<>(PAIRS);
    for (String key = first(object); key != null; key = next(object)) {
      pairs.add(key);
      pairs.add(text(object));
    }
    if (draft.before != null && areSame(draft.before.labels(), pairs)) {
      draft.labels = draft.before.labels();
      return;
    }
    draft.labels = HashMap.newHashMap(pairs.size() / 2);
    for (int i = 0; i < pairs.size(); i += 2) {
      draft.labels.put(once(pairs.get(i)), once(pairs.get(i + 1)));
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

  private static void readAnnotations(JsonParser object, Draft draft) throws IOException {
    for (String key = first(object); key != null; key = next(object)) {
      switch (key) {
        case WireNames.CONFIRMED_HEALTHY,
            RemediationPolicy.APPROVED,
            OPENSHIFT_MACHINE,
            CLUSTER_API_MACHINE,
            CLUSTER_API_NAMESPACE ->
            draft.annotations.put(key, text(object));
        default -> object.skipChildren();
      }
    }
  }

  /** {@return whether that was all that matters} */
  private boolean readStatus(JsonParser object, Draft draft) throws IOException {
    for (String field = first(object); field != null; field = next(object)) {
      if (field.equals("conditions") && object.isExpectedStartArrayToken()) {
        draft.conditions = new ArrayList<>();
        while (object.nextToken() != JsonToken.END_ARRAY) {
          draft.conditions.add(readCondition(object));
        }
        if (!draft.name.isEmpty()) {
          return true;
        }
      } else {
        object.skipChildren();
      }
    }
    return false;
  }

  private NodeCondition readCondition(JsonParser object) throws IOException {
    String type = "";
    String status = "";
    Instant since = Instant.EPOCH;
    for (String field = first(object); field != null; field = next(object)) {
      switch (field) {
        case "type" -> type = once(text(object));
        case "status" -> status = once(text(object));
        case "lastTransitionTime" -> since = moment(object);
        default -> object.skipChildren();
      }
    }
    return new NodeCondition(type, status, since);
  }

  /** Goes to the value of the first field; null if there is none, or no object. */
  private static @Nullable String first(JsonParser object) throws IOException {
    return object.isExpectedStartObjectToken() ? next(object) : null;
  }

  /** Goes to the value of the next field; null after the last. */
  private static @Nullable String next(JsonParser object) throws IOException {
    if (object.nextToken() != JsonToken.FIELD_NAME) {
      return null;
    }
    String name = object.currentName();
    object.nextToken();
    return name;
  }

  private static String text(JsonParser object) throws IOException {
    String text = object.getValueAsString();
    object.skipChildren();
    return text == null ? "" : text;
  }

  private static Instant moment(JsonParser object) throws IOException {
    Instant moment = WireTime.read(text(object));
    return moment == null ? Instant.EPOCH : moment;
  }

  /** What is longer names nothing that is known. */
  private static @Nullable String approved(Map<String, String> annotations) {
    String kinds = annotations.get(RemediationPolicy.APPROVED);
    return kinds == null || kinds.length() > MAX_APPROVED_CHARS ? null : kinds;
  }

  /** OpenShift's machine, or Cluster API's. */
  private static @Nullable Machine machine(Map<String, String> annotations) {
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
    String name = annotations.get(CLUSTER_API_MACHINE);
    String namespace = annotations.get(CLUSTER_API_NAMESPACE);
    return name == null || namespace == null
        ? null
        : machine("cluster.x-k8s.io/v1beta1", namespace, name);
  }

  private static Machine machine(String apiVersion, String namespace, String name) {
    return new Machine(new ObjectRef(apiVersion, "Machine", namespace, name), "");
  }

  private String once(String text) {
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
