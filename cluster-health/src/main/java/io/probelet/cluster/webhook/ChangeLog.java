package io.probelet.cluster.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The annotation that lists every change made to a configuration (CH-34). */
final class ChangeLog {

  static final String ANNOTATION = "remediation.webhook.probelet.io/changes";
  private static final ObjectMapper JSON = new ObjectMapper();

  private ChangeLog() {}

  static boolean isOn(ObjectMeta metadata) {
    return annotation(metadata) != null;
  }

  /**
   * Reads the changes made so far.
   *
   * @throws IllegalArgumentException if the annotation has an unexpected format
   */
  static List<WebhookChange> read(ObjectMeta metadata) {
    String annotation = annotation(metadata);
    if (annotation == null) {
      return List.of();
    }
    try {
      return JSON.readValue(annotation, new TypeReference<List<WebhookChange>>() {});
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "annotation " + ANNOTATION + " is not a list of changes: " + e.getOriginalMessage(), e);
    }
  }

  /** Adds changes to the previous ones; a repeated change is listed once. */
  static ObjectMeta with(ObjectMeta metadata, List<WebhookChange> changes) {
    Set<WebhookChange> all = new LinkedHashSet<>(read(metadata));
    all.addAll(changes);
    try {
      return new ObjectMetaBuilder(metadata)
          .addToAnnotations(ANNOTATION, JSON.writeValueAsString(all))
          .build();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("changes cannot be written as JSON", e);
    }
  }

  static ObjectMeta without(ObjectMeta metadata) {
    return new ObjectMetaBuilder(metadata).removeFromAnnotations(ANNOTATION).build();
  }

  static JsonNode tree(@Nullable Object value) {
    return value == null ? NullNode.instance : JSON.valueToTree(value);
  }

  static <T> @Nullable T value(JsonNode tree, Class<T> type) {
    return tree.isNull() ? null : JSON.convertValue(tree, type);
  }

  private static @Nullable String annotation(ObjectMeta metadata) {
    Map<String, String> annotations = metadata.getAnnotations();
    return annotations == null ? null : annotations.get(ANNOTATION);
  }
}
