package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.name.DnsName;
import io.probelet.document.name.OwnAnnotations;
import io.probelet.document.tree.Position;
import io.probelet.manifest.annotation.ProbeAnnotation;
import io.probelet.manifest.policy.Enforcement;
import io.probelet.manifest.policy.ProbeOrigin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The used parts of {@code metadata}.
 *
 * @param namespace never empty
 * @param name empty if it is missing
 * @param uid the API server's uid, possibly empty
 * @param annotations null if there are none
 */
record PodMetadata(
    String namespace, String name, Position nameAt, String uid, @Nullable Fields annotations) {
  private static final String DEFAULT_NAMESPACE = "default";

  /** The annotation of objects that no ClusterHealth checks (CH-42). */
  private static final String SKIP_HEALTH_CHECK = "probelet.io/skip-health-check";

  /** The probes, and the annotations that only an agent in a cluster uses. */
  private static final List<String> OUR_ANNOTATIONS =
      List.of(ProbeAnnotation.KEY, ProbeOrigin.KEY, Enforcement.KEY);

  /** Reads the metadata of a Pod. */
  static PodMetadata read(Field field) {
    Fields metadata = field.objectOrEmpty();
    if (metadata == null) {
      return new PodMetadata(DEFAULT_NAMESPACE, "", field.at(), "", null);
    }
    Field name = metadata.field("name");
    return new PodMetadata(
        namespace(metadata.field("namespace")),
        name(name, "the pod's name"),
        name.at(),
        metadata.field("uid").text(""),
        annotations(metadata.field("annotations").object()));
  }

  /** Reads the metadata of a Pod template, whose pods get name and namespace from elsewhere. */
  static PodMetadata ofTemplate(Field field, PodMetadata workload) {
    Fields metadata = field.objectOrEmpty();
    return new PodMetadata(
        workload.namespace(),
        workload.name(),
        workload.nameAt(),
        "",
        metadata == null ? null : annotations(metadata.field("annotations").object()));
  }

  /** Reads the metadata of a workload, whose annotations are not those of its pods. */
  static PodMetadata ofWorkload(Field field) {
    Fields metadata = field.objectOrEmpty();
    if (metadata == null) {
      return new PodMetadata(DEFAULT_NAMESPACE, "", field.at(), "", null);
    }
    Fields annotations = metadata.field("annotations").object();
    for (String key : annotations == null ? List.<String>of() : annotations.names()) {
      if (annotations != null && OwnAnnotations.isOurs(key) && !key.equals(SKIP_HEALTH_CHECK)) {
        annotations
            .keyed(key)
            .warning(
                Complaint.NO_EFFECT,
                "has no effect here; put it into the metadata of the Pod template");
      }
    }
    Field name = metadata.field("name");
    return new PodMetadata(
        namespace(metadata.field("namespace")), name(name, "the name"), name.at(), "", null);
  }

  private static String name(Field field, String what) {
    int errors = field.errors();
    String name = field.text("");
    if (!name.isEmpty()) {
      DnsName.SUBDOMAIN.check(field, name);
    } else if (field.errors() == errors) {
      field.required(what + "; generateName needs an API server");
    }
    return name;
  }

  private static String namespace(Field field) {
    String namespace = field.text("");
    if (namespace.isEmpty()) {
      return DEFAULT_NAMESPACE;
    }
    DnsName.LABEL.check(field, namespace);
    return namespace;
  }

  private static @Nullable Fields annotations(@Nullable Fields annotations) {
    OwnAnnotations.warnOfUnknown(annotations, OUR_ANNOTATIONS);
    return annotations;
  }
}
