package io.probelet.manifest.pod;

import io.probelet.cluster.care.ClusterHealthReader;
import io.probelet.cluster.care.NamedChecks;
import io.probelet.cluster.webhook.WebhookConfigurationReader;
import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.name.ObjectType;
import io.probelet.document.name.OwnAnnotations;
import io.probelet.document.tree.Node;
import io.probelet.document.tree.Source;
import io.probelet.monitor.log.MonitorAdvice;
import io.probelet.monitor.rule.Monitor;
import io.probelet.monitor.rule.MonitorReader;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.maintenance.MaintenanceReader;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.policy.RemediationPolicyReader;
import io.probelet.nodehealth.readiness.NodeReadinessRule;
import io.probelet.nodehealth.readiness.ReadinessRuleReader;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.remediator.resource.RemediationReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the objects of a document, each kind with its reader: Pods, workloads, NodeHealthChecks,
 * RemediationPolicies, Maintenances, our remediations and their templates, NodeReadinessRules,
 * ClusterHealths, webhook configurations, and lists of these. Documents without a kind are
 * recognized by their keys.
 */
public final class ObjectsReader {
  private static final String API_VERSION = "v1";
  private static final String POD = PodFrame.POD;
  private static final String LIST = "List";

  /** No tool creates deeply nested lists, and reading them would need stack. */
  private static final int MAX_DEPTH = 8;

  private static final List<String> KINDS =
      Stream.concat(
              Stream.of(POD, "PodList", LIST),
              Stream.of(WorkloadKind.values()).map(WorkloadKind::kind))
          .toList();

  private static final Set<String> WITHOUT_ANNOTATIONS =
      Set.of(
          RemediationPolicy.KIND,
          Maintenance.KIND,
          NodeReadinessRule.KIND,
          ClusterHealthReader.KIND);

  private static final String SUPPORTED =
      "; supported are Pods, workloads with a Pod template, NodeHealthChecks, RemediationPolicies,"
          + " Maintenances, remediations of probelet.io and their templates, NodeReadinessRules,"
          + " ClusterHealths, webhook configurations and lists of them";

  private static final NodeHealthCheckReader NEW_CHECKS =
      NodeHealthCheckReader.ofNew(TemplateKinds.UNKNOWN);

  private static final ClusterHealthReader NEW_CLUSTER_HEALTH =
      ClusterHealthReader.ofNew(NamedChecks.DEFAULTS);

  private final Path file;
  private final Purpose purpose;
  private final PodReader pods;
  private final WorkloadReader workloads;
  private final WebhookConfigurationReader webhooks;
  private KindCounts checked = KindCounts.NONE;
  private KindCounts others = KindCounts.NONE;

  /** Creates a reader for one file. */
  public ObjectsReader(Path file, Source source, Purpose purpose) {
    this.file = file;
    this.purpose = purpose;
    this.webhooks = new WebhookConfigurationReader(purpose.systemPodLabels());
    this.pods = reader(file, source, purpose.pods(), purpose.advise());
    this.workloads =
        new WorkloadReader(
            file,
            reader(file, source, purpose.workloads(), purpose.advise()),
            purpose.workloads().mode());
  }

  private static PodReader reader(Path file, Source source, Purpose.Use use, boolean advise) {
    return new PodReader(file, source, use.mode(), use.rules(), advise);
  }

  /** Reads one document. */
  public List<PodSource> read(int document, Node root, Problems problems) {
    Scope scope = new Scope(problems, Severity.WARNING);
    List<PodSource> found = new ArrayList<>();
    Field field = Field.ofDocument(scope, "", root);
    object(field, Item.OF_NO_LIST, new Target(document, problems, found));
    return found;
  }

  /** {@return the objects and documents that were checked so far and are no Pods} */
  public KindCounts checked() {
    return checked;
  }

  /** {@return the objects of unsupported kinds so far, if they are expected} */
  public KindCounts others() {
    return others;
  }

  /** Receives the pods and problems of one document. */
  private record Target(int document, Problems problems, List<PodSource> pods) {}

  /** The kind that a list gives its items, which need not repeat it; and the depth of nesting. */
  private record Item(String kind, String apiVersion, int depth) {
    static final Item OF_NO_LIST = new Item("", "", 0);
  }

  private void object(Field field, Item item, Target target) {
    Fields object = field.object();
    if (object == null || !(field.value() instanceof Node.Mapping value)) {
      return;
    }
    if (item.kind().isEmpty() && readKindless(value, target)) {
      return;
    }
    Field kindField = object.field("kind");
    Field versionField = object.field("apiVersion");
    int errors = field.errors();
    String kind = kindField.text(item.kind());
    String version = versionField.text(item.apiVersion());
    if (field.errors() != errors) {
      return;
    }
    Optional<WorkloadKind> workload = WorkloadKind.of(kind, version);
    if (workload.isPresent()) {
      apiVersion(versionField, workload.get().apiVersion(), item);
      PodSource pod = workloads.read(object, workload.get(), target.document(), target.problems());
      add(field.errors() == errors ? pod : null, target);
      return;
    }
    if (RemediationReader.reads(kind, version)) {
      remediation(object, kind, target);
      return;
    }
    if (Groups.isOwn(kind, version)) {
      own(object, kind);
      return;
    }
    if (!Groups.mayBeKubernetes(version) && !kind.isEmpty()) {
      listOrOther(object, kindField, new Item(kind, version, item.depth()), target);
      return;
    }
    switch (kind) {
      case POD -> {
        apiVersion(versionField, API_VERSION, item);
        boolean ours = field.errors() == errors; // the pod's own reader reports its errors
        PodSource pod = pods.read(object, value, target.document(), target.problems());
        add(ours ? pod : null, target);
      }
      case LIST -> list(object, new Item("", "", item.depth() + 1), target);
      case "" -> kindField.required("must name the kind, such as Pod");
      default -> listOrOther(object, kindField, new Item(kind, version, item.depth()), target);
    }
  }

  private void listOrOther(Fields object, Field kindField, Item item, Target target) {
    Optional<String> items = itemsOf(item.kind(), item.apiVersion());
    if (items.isPresent()) {
      list(object, new Item(items.get(), item.apiVersion(), item.depth() + 1), target);
    } else {
      otherKind(object, kindField, item);
    }
  }

  /** Checks its Jobs, too, as a cluster does when it creates them. */
  private void remediation(Fields remediation, String kind, Target target) {
    checked = checked.with(kind);
    RemediationReader.read(kind, remediation);
    withoutAnnotations(remediation);
    if (purpose.workloads().mode() == Mode.PROBES_ONLY) {
      for (Field template : RemediationReader.jobTemplates(kind, remediation)) {
        target.problems().addNew(workloads.checkJob(template, target.document()));
      }
    }
  }

  private void own(Fields object, String kind) {
    checked = checked.with(kind);
    switch (kind) {
      case NodeHealthCheck.KIND -> NEW_CHECKS.read(object);
      case RemediationPolicy.KIND -> RemediationPolicyReader.read(object);
      case Maintenance.KIND -> MaintenanceReader.read(object);
      case NodeReadinessRule.KIND -> ReadinessRuleReader.read(object);
      case ClusterHealthReader.KIND -> NEW_CLUSTER_HEALTH.read(object);
      default -> webhooks.read(object);
    }
    if (WITHOUT_ANNOTATIONS.contains(kind)) {
      withoutAnnotations(object);
    }
  }

  private static void withoutAnnotations(Fields object) {
    Field metadata = object.field("metadata");
    Fields fields = metadata.isObject() ? metadata.object() : null;
    OwnAnnotations.warnOfUnknown(
        fields == null ? null : fields.field("annotations").object(), List.of());
  }

  private boolean readKindless(Node.Mapping value, Target target) {
    if (MonitorReader.isMonitor(value)) {
      checked = checked.with("monitor");
      Optional<Monitor> monitor = MonitorReader.read(value, target.problems());
      if (purpose.advise()) {
        monitor.ifPresent(read -> MonitorAdvice.give(value, read, target.problems()));
      }
      return true;
    }
    if (value.entries().containsKey("kind")) {
      return false;
    }
    for (KindlessReader reader : purpose.kindless()) {
      if (reader.recognises(value)) {
        checked = checked.with(reader.noun());
        reader.read(file, target.document(), value, target.problems());
        return true;
      }
    }
    return false;
  }

  private static void add(@Nullable PodSource pod, Target target) {
    if (pod != null) {
      target.pods().add(pod);
    }
  }

  /** Finds the kind of the items of a typed list. */
  private static Optional<String> itemsOf(String kind, String apiVersion) {
    if (!kind.endsWith(LIST)) {
      return Optional.empty();
    }
    String items = kind.substring(0, kind.length() - LIST.length());
    boolean isRead =
        (items.equals(POD) && Groups.mayBeKubernetes(apiVersion))
            || Groups.isOwn(items, apiVersion)
            || RemediationReader.reads(items, apiVersion)
            || WorkloadKind.of(items, apiVersion).isPresent();
    return isRead ? Optional.of(items) : Optional.empty();
  }

  private void list(Fields list, Item item, Target target) {
    if (item.depth() > MAX_DEPTH) {
      list.self().invalid("must not be in more than " + MAX_DEPTH + " lists");
      return;
    }
    if (item.kind().isEmpty() || item.kind().equals(POD)) {
      FieldRules.exactly(list.field("apiVersion"), API_VERSION);
    } else {
      FieldRules.requiredText(list.field("apiVersion"), "that of its items");
    }
    for (Field each : list.field("items").items()) {
      object(each, item, target);
    }
    list.rejectUnknown(Set.of("kind", "metadata"));
  }

  private static void apiVersion(Field field, String version, Item item) {
    if (item.kind().isEmpty() || field.isPresent()) {
      FieldRules.exactly(field, version);
    }
  }

  private void otherKind(Fields object, Field field, Item item) {
    String kind = item.kind();
    String version = item.apiVersion();
    Optional<String> unknown = Groups.unknown(kind, version);
    String meant = Groups.meant(kind, version);
    if (Groups.mayBeKubernetes(version)
        && KINDS.stream().anyMatch(each -> each.equalsIgnoreCase(kind) && !each.equals(kind))) {
      field.unsupported(KINDS);
    } else if (unknown.isPresent()) {
      field.error(unknown.get());
    } else if (!ObjectType.isKind(kind)) {
      field.invalid(ObjectType.KIND_RULE);
    } else if (!version.isEmpty() && !ObjectType.isApiVersion(version)) {
      object.field("apiVersion").invalid(ObjectType.API_VERSION_RULE);
    } else if (purpose.othersExpected() && meant.isEmpty()) {
      others = others.with(kind);
    } else {
      field.warning(
          Complaint.IGNORED_KIND,
          "ignored: \"%s\"%s is not supported%s"
              .formatted(
                  kind,
                  Groups.of(version).isEmpty() ? "" : " of " + Groups.of(version),
                  meant.isEmpty() ? SUPPORTED : meant));
    }
  }
}
