package io.probelet.manifest.pod;

import io.probelet.cluster.care.ClusterHealthReader;
import io.probelet.cluster.care.NamedChecks;
import io.probelet.cluster.webhook.WebhookConfigurationReader;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import io.probelet.manifest.policy.PodRules;
import io.probelet.monitor.rule.MonitorReader;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.TemplateKinds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Reads what a document holds: a Pod, a NodeHealthCheck, a ClusterHealth, a webhook configuration,
 * or a list of objects with some among them.
 */
public final class ObjectsReader {
  private static final String API_VERSION = "v1";
  private static final String POD = "Pod";
  private static final String POD_LIST = "PodList";
  private static final String LIST = "List";
  private static final List<String> KINDS = List.of(POD, POD_LIST, LIST);

  private static final NodeHealthCheckReader NEW_CHECKS =
      NodeHealthCheckReader.ofNew(TemplateKinds.UNKNOWN);

  private static final ClusterHealthReader NEW_CLUSTER_HEALTH =
      ClusterHealthReader.ofNew(NamedChecks.DEFAULTS);

  private final PodReader reader;

  /**
   * Creates a reader for one file.
   *
   * @param file the file as the user named it
   * @param source its text
   * @param mode what pods are read for
   * @param rules what holds for pods
   */
  public ObjectsReader(Path file, Source source, Mode mode, PodRules rules) {
    this.reader = new PodReader(file, source, mode, rules);
  }

  /**
   * Reads one document.
   *
   * @param document number of the document
   * @param root its value
   * @param problems where problems go
   * @return the valid pods in it
   */
  public List<PodSource> read(int document, Node root, Problems problems) {
    Scope scope = new Scope(problems, Severity.WARNING);
    List<PodSource> pods = new ArrayList<>();
    object(Field.ofDocument(scope, "", root), "", new Target(document, problems, pods));
    return pods;
  }

  /** Where the pods and problems of one document go. */
  private record Target(int document, Problems problems, List<PodSource> pods) {}

  /** Reads an object; {@code byDefault} is its kind when it does not say. */
  private void object(Field field, String byDefault, Target target) {
    Fields object = field.object();
    Node value = field.value();
    if (object == null || value == null) {
      return;
    }
    if (byDefault.isEmpty() && MonitorReader.isMonitor(value)) {
      MonitorReader.read(value, target.problems());
      return;
    }
    Field kindField = object.field("kind");
    int errors = field.errors();
    String kind = kindField.text(byDefault);
    if (field.errors() != errors) {
      return;
    }
    switch (kind) {
      case POD -> pod(object, byDefault, target);
      case POD_LIST -> list(object, POD, target);
      case LIST -> list(object, "", target);
      case NodeHealthCheck.KIND -> NEW_CHECKS.read(object);
      case WebhookConfigurationReader.VALIDATING, WebhookConfigurationReader.MUTATING ->
          WebhookConfigurationReader.read(object);
      case ClusterHealthReader.KIND -> NEW_CLUSTER_HEALTH.read(object);
      case "" -> kindField.required("must say what this is, such as Pod");
      default -> otherKind(kindField, kind);
    }
  }

  private void pod(Fields pod, String byDefault, Target target) {
    apiVersion(pod.field("apiVersion"), byDefault.isEmpty());
    Node content = pod.self().value();
    PodSource read =
        content == null ? null : reader.read(pod, content, target.document(), target.problems());
    if (read != null) {
      target.pods().add(read);
    }
  }

  private void list(Fields list, String itemKind, Target target) {
    apiVersion(list.field("apiVersion"), true);
    for (Field item : list.field("items").items()) {
      object(item, itemKind, target);
    }
    list.rejectUnknown(Set.of("metadata"));
  }

  private static void apiVersion(Field field, boolean required) {
    if (required || field.isPresent()) {
      FieldRules.exactly(field, API_VERSION);
    }
  }

  private static void otherKind(Field field, String kind) {
    if (KINDS.stream().anyMatch(kind::equalsIgnoreCase)) {
      field.unsupported(KINDS);
    } else {
      field.warning(
          "ignored: \""
              + kind
              + "\" is not read here, only Pod, PodList, List, NodeHealthCheck, ClusterHealth and webhook"
              + " configurations");
    }
  }
}
