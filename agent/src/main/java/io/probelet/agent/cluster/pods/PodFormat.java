package io.probelet.agent.cluster.pods;

import com.fasterxml.jackson.core.JsonParser;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.kube.watch.Format;
import io.probelet.kube.watch.Item;
import io.probelet.probe.PodRef;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Takes pods from what the API server sends; one that cannot be read does not hide the others. */
final class PodFormat implements Format<ClusterPod> {
  private static final Logger LOG = LoggerFactory.getLogger(PodFormat.class);

  /** Who set which field: half of a pod's text, and nothing that probing needs. */
  private static final Set<String> LEFT_OUT = Set.of("managedFields");

  private final ClusterPodReader reader;

  PodFormat(ClusterPodReader reader) {
    this.reader = reader;
  }

  @Override
  public @Nullable Item<ClusterPod> read(
      JsonParser object, Function<String, @Nullable ClusterPod> before) {
    Document document = Document.ofProgram(object, LEFT_OUT);
    if (!(document.root() instanceof Mapping pod)) {
      LOG.warn("pods unreadable=\"{}\"", document.problems());
      return null;
    }
    return reader.read(pod).map(read -> item(read, version(pod))).orElse(null);
  }

  /** A static pod is the same for as long as the runtime knows it by the same uid. */
  private static Item<ClusterPod> item(ClusterPod pod, String version) {
    PodRef ref = pod.ref();
    return new Item<>(ref.namespace(), ref.name(), ref.uid(), version, pod);
  }

  private static String version(Mapping pod) {
    return pod.value("metadata") instanceof Mapping metadata
            && metadata.value("resourceVersion") instanceof Scalar version
        ? version.text()
        : "";
  }
}
