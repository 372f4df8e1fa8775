package io.probelet.cluster.care;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSetSpec;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import io.probelet.kube.object.BoundedObject;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.BoundedObject.Whole;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import java.io.IOException;
import java.time.ZonedDateTime;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads objects of one kind, without the fields that no check needs. These are most of their text.
 */
final class VerdictFormat implements Format<ObjectVerdict> {
  static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(new SimpleModule().addDeserializer(ZonedDateTime.class, new TimeReader()))
          .addMixIn(ObjectMeta.class, Unread.class)
          .addMixIn(NodeStatus.class, Unread.class)
          .addMixIn(CustomResourceDefinitionSpec.class, Unread.class)
          .addMixIn(DeploymentSpec.class, Unread.class)
          .addMixIn(DaemonSetSpec.class, Unread.class)
          .addMixIn(StatefulSetSpec.class, Unread.class)
          .build();

  /** These fields are skipped in trees as well. */
  static final KeptFields FIELDS =
      KeptFields.allBut(
          "/status/images", "/spec/versions", "/spec/template", "/spec/volumeClaimTemplates");

  private final ObjectReader reader;
  private final String kind;

  /** managedFields, images of nodes, schemas of CRDs and pod templates. */
  @JsonIgnoreProperties({"managedFields", "images", "versions", "template", "volumeClaimTemplates"})
  private interface Unread {}

  /** Reads the times of leases, which contain fractions of a second. */
  private static final class TimeReader extends FromStringDeserializer<ZonedDateTime> {
    TimeReader() {
      super(ZonedDateTime.class);
    }

    @Override
    protected ZonedDateTime _deserialize(String text, DeserializationContext context)
        throws IOException {
      try {
        return ZonedDateTime.parse(text);
      } catch (DateTimeParseException other) {
        throw context.weirdStringException(text, ZonedDateTime.class, "not an RFC 3339 time");
      }
    }
  }

  VerdictFormat(Class<? extends HasMetadata> kind) {
    reader = JSON.readerFor(kind);
    this.kind = HasMetadata.getKind(kind);
  }

  @Override
  public @Nullable Item<ObjectVerdict> read(
      JsonParser object, Function<String, @Nullable ObjectVerdict> before) throws IOException {
    return switch (BoundedObject.read(object, FIELDS, ObjectLimits.USUAL)) {
      case Whole(ObjectNode tree) -> read(tree);
      case TooLarge large -> {
        JsonNode metadata = large.identity().path("metadata");
        ObjectVerdict unknown = ObjectVerdict.tooLarge(kind, large);
        yield new Item<>(
            unknown.namespace(),
            unknown.name(),
            metadata.path("uid").asText(),
            metadata.path("resourceVersion").asText(),
            unknown);
      }
    };
  }

  private @Nullable Item<ObjectVerdict> read(ObjectNode tree) throws IOException {
    HasMetadata read = reader.readValue(tree);
    ObjectMeta metadata = read.getMetadata();
    return metadata == null || metadata.getName() == null
        ? null
        : new Item<>(
            metadata.getNamespace(),
            metadata.getName(),
            Objects.requireNonNullElse(metadata.getUid(), ""),
            Objects.requireNonNullElse(metadata.getResourceVersion(), ""),
            ObjectVerdict.of(read));
  }
}
