package io.probelet.agent.cluster.pods;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.kube.Metadata;
import io.probelet.kube.object.BoundedObject;
import io.probelet.kube.object.BoundedObject.TooLarge;
import io.probelet.kube.object.BoundedObject.Whole;
import io.probelet.kube.object.KeptFields;
import io.probelet.kube.object.ObjectLimits;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.probe.PodRef;
import io.probelet.probe.ProbedPod;
import io.probelet.probe.RestartPolicy;
import io.probelet.probe.runtime.PodObservation;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes pods from what the API server sends; one that cannot be read does not hide the others. A
 * pod that is too large is known by its name and not probed, and that is reported.
 */
final class PodFormat implements Format<ClusterPod> {
  private static final Logger LOG = LoggerFactory.getLogger(PodFormat.class);

  private final ClusterPodReader reader;
  private final PodRoom room;

  PodFormat(ClusterPodReader reader, PodRoom room) {
    this.reader = reader;
    this.room = room;
  }

  @Override
  public @Nullable Item<ClusterPod> read(
      JsonParser object, Function<String, @Nullable ClusterPod> before) throws IOException {
    if (!object.isExpectedStartObjectToken()) {
      LOG.warn("pod skipped, not an object found=\"{}\"", object.currentToken());
      object.skipChildren();
      return null;
    }
    return switch (BoundedObject.read(object, KeptFields.ALL, ObjectLimits.USUAL)) {
      case TooLarge large -> tooLarge(large);
      case Whole(ObjectNode pod) -> read(pod);
    };
  }

  private @Nullable Item<ClusterPod> read(ObjectNode object) {
    Document document = Document.ofProgram(object.traverse(), Set.of());
    if (!(document.root() instanceof Mapping pod)) {
      LOG.warn("pod skipped, unexpected format reason=\"{}\"", document.problems());
      return null;
    }
    return reader.read(pod).map(read -> admitted(read, Metadata.version(object))).orElse(null);
  }

  private @Nullable Item<ClusterPod> tooLarge(TooLarge large) {
    JsonNode metadata = large.identity().path("metadata");
    String namespace = metadata.path("namespace").asText();
    String name = metadata.path("name").asText();
    String uid = metadata.path("uid").asText();
    if (namespace.isEmpty() || name.isEmpty() || uid.isEmpty()) {
      return null;
    }
    PodRef ref = new PodRef(namespace, name, uid);
    return admitted(
        new ClusterPod(
            uid,
            new ProbedPod(ref, RestartPolicy.ALWAYS, Duration.ZERO, List.of()),
            new PodObservation(
                ref, PodObservation.Phase.PENDING, false, false, List.of(), Map.of()),
            null,
            new GateState(false, null, List.of()),
            0,
            List.of("the pod is not probed: it has " + large.limit().text()),
            List.of(),
            PodOwner.NONE),
        Metadata.version(large.identity()));
  }

  /** A static pod is identified by its uid in the runtime. */
  private @Nullable Item<ClusterPod> admitted(ClusterPod pod, String version) {
    ClusterPod kept = room.admit(pod);
    PodRef ref = pod.ref();
    return kept == null ? null : new Item<>(ref.namespace(), ref.name(), ref.uid(), version, kept);
  }
}
