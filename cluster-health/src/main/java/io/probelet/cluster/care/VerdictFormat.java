package io.probelet.cluster.care;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinitionSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSetSpec;
import io.fabric8.kubernetes.api.model.apps.DeploymentSpec;
import io.fabric8.kubernetes.api.model.apps.StatefulSetSpec;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import java.io.IOException;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Reads objects of one kind, without what no check reads: most of their text. */
final class VerdictFormat implements Format<ObjectVerdict> {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .addMixIn(ObjectMeta.class, Unread.class)
          .addMixIn(NodeStatus.class, Unread.class)
          .addMixIn(CustomResourceDefinitionSpec.class, Unread.class)
          .addMixIn(DeploymentSpec.class, Unread.class)
          .addMixIn(DaemonSetSpec.class, Unread.class)
          .addMixIn(StatefulSetSpec.class, Unread.class)
          .build();

  private final ObjectReader reader;

  /** Who wrote which field, images of nodes, schemas of CRDs, and what pods are made from. */
  @JsonIgnoreProperties({"managedFields", "images", "versions", "template", "volumeClaimTemplates"})
  private interface Unread {}

  VerdictFormat(Class<? extends HasMetadata> kind) {
    reader = JSON.readerFor(kind);
  }

  @Override
  public @Nullable Item<ObjectVerdict> read(
      JsonParser object, Function<String, @Nullable ObjectVerdict> before) throws IOException {
    HasMetadata read = reader.readValue(object);
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
