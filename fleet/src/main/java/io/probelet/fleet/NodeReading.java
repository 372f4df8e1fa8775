package io.probelet.fleet;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.kube.object.BoundedObject;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.BoundedObject.Whole;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.kube.watch.TooLargeException;
import io.probelet.nodehealth.maintenance.MaintenanceBook;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.wire.NodeFormat;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The part of a Node that is kept.
 *
 * @param facts what remediation needs to know
 * @param cordoned whether it takes no new pods
 * @param taints as {@code key=value:Effect}
 */
record NodeReading(
    NodeFacts facts, boolean cordoned, List<String> taints, List<FleetCondition> conditions) {
  private static final int MAX_TAINTS = 32;

  /** Usual nodes have 300 values and 15,000 characters; annotations may have 256 KiB. */
  private static final ObjectLimits LIMITS = new ObjectLimits(5_000, 600_000);

  /** {@return the same with what the cluster's Maintenances say about it} */
  NodeReading with(MaintenanceBook maintenances, Instant now) {
    NodeFacts marked = facts.withMaintenance(maintenances.of(facts.labels(), null, now));
    return marked.equals(facts) ? this : new NodeReading(marked, cordoned, taints, conditions);
  }

  /** Reads nodes; keeps each text that many of them have once. */
  static final class OfNodes implements Format<Weighed<NodeReading>> {
    private static final KeptFields FIELDS =
        KeptFields.of(
            "/metadata/creationTimestamp",
            "/metadata/labels",
            "/metadata/annotations",
            "/spec/unschedulable",
            "/spec/taints",
            "/status/conditions");

    private final NodeFormat facts = new NodeFormat();

    @Override
    public Item<Weighed<NodeReading>> read(
        JsonParser object, Function<String, @Nullable Weighed<NodeReading>> before)
        throws IOException {
      return switch (BoundedObject.read(object, FIELDS, LIMITS)) {
        case TooLarge large -> throw new TooLargeException(large);
        case Whole(ObjectNode tree) -> read(tree, before);
      };
    }

    private Item<Weighed<NodeReading>> read(
        ObjectNode tree, Function<String, @Nullable Weighed<NodeReading>> before)
        throws IOException {
      Item<NodeFacts> node =
          facts.read(
              tree,
              name -> {
                Weighed<NodeReading> old = before.apply(name);
                return old == null ? null : old.value().facts();
              });
      NodeReading reading =
          new NodeReading(
              node.value(),
              tree.at("/spec/unschedulable").asBoolean(false),
              taints(tree.at("/spec/taints")),
              ConditionReader.ofNode(tree.at("/status/conditions")));
      return new Item<>(null, node.name(), node.uid(), node.version(), Weighed.of(reading, tree));
    }

    private static List<String> taints(JsonNode list) {
      List<String> taints = new ArrayList<>();
      for (JsonNode taint : list) {
        if (taints.size() == MAX_TAINTS) {
          break;
        }
        String value = taint.path("value").asText("");
        String text =
            taint.path("key").asText("")
                + (value.isEmpty() ? "" : "=" + value)
                + ":"
                + taint.path("effect").asText("");
        taints.add(FleetText.of(text, FleetText.NAME).intern());
      }
      return List.copyOf(taints);
    }
  }
}
