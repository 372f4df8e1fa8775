package io.probelet.nodehealth.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.field.ApiDuration;
import io.probelet.document.field.ApiObject;
import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problems;
import io.probelet.document.name.DnsName;
import io.probelet.document.name.OwnAnnotations;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.selector.LabelSelectorReader;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.HealthyFloor;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.RemediationStep;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.UnhealthyCondition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a NodeHealthCheck and reports all problems: for the admission webhook, for {@code probelet
 * validate} and before every plan.
 */
public final class NodeHealthCheckReader {
  private static final String MACHINE_DELETION = "MachineDeletionRemediationTemplate";

  private static final List<String> ANNOTATIONS =
      List.of(WireNames.NEVER_READY_AFTER, WireNames.SETTLE, WireNames.UNHEALTHY_WHEN);

  private final TemplateKinds kinds;
  private final boolean selectorMayBeEmpty;

  private NodeHealthCheckReader(TemplateKinds kinds, boolean selectorMayBeEmpty) {
    this.kinds = kinds;
    this.selectorMayBeEmpty = selectorMayBeEmpty;
  }

  /** Reads new resources, which must have a selector. */
  public static NodeHealthCheckReader ofNew(TemplateKinds kinds) {
    return new NodeHealthCheckReader(kinds, false);
  }

  /** Reads existing resources; without a selector they select all nodes. */
  public static NodeHealthCheckReader ofExisting(TemplateKinds kinds) {
    return new NodeHealthCheckReader(kinds, true);
  }

  /**
   * The result of reading a resource.
   *
   * @param valid the resource's spec; null if the resource is invalid
   * @param problems all problems, errors and warnings
   */
  public record Reading(@Nullable NodeHealthCheckSpec valid, List<Problem> problems) {
    /** Keeps an unmodifiable copy of the problems. */
    public Reading {
      problems = List.copyOf(problems);
    }

    /** {@return the spec; empty if the resource is invalid} */
    public Optional<NodeHealthCheckSpec> spec() {
      return Optional.ofNullable(valid);
    }

    /** {@return its errors; empty if it is valid} */
    public List<Problem> refusals() {
      return problems.stream().filter(Problem::isError).toList();
    }

    /** {@return the warnings} */
    public List<Problem> remarks() {
      return problems.stream().filter(problem -> !problem.isError()).toList();
    }
  }

  /**
   * Reads a resource of a cluster.
   *
   * @return its spec or its errors
   */
  public Reading read(JsonNode resource) {
    Problems problems = Problems.ofObject(NodeHealthCheck.KIND);
    Field root = ApiObject.read(resource, problems);
    Fields object = root.object();
    if (object == null && problems.errors() == 0) {
      root.required("a " + NodeHealthCheck.KIND);
    }
    NodeHealthCheckSpec spec = object == null ? null : spec(object);
    return new Reading(problems.errors() == 0 ? spec : null, problems.all());
  }

  /**
   * Reads a resource of a file; its problems are added to the file's.
   *
   * @return the resource; empty if it is invalid
   */
  public Optional<NodeHealthCheck> read(Fields object) {
    int errors = object.errors();
    FieldRules.exactly(object.field("apiVersion"), NodeHealthCheck.API_VERSION);
    NodeHealthCheckSpec spec = spec(object);
    if (spec == null || object.errors() != errors) {
      return Optional.empty();
    }
    Fields metadata = object.field("metadata").object();
    String name = metadata == null ? "" : metadata.field("name").text("");
    return Optional.of(new NodeHealthCheck(name, "", spec, NodeHealthCheckStatus.NONE));
  }

  private @Nullable NodeHealthCheckSpec spec(Fields object) {
    Fields metadata = object.field("metadata").objectOrEmpty();
    Duration neverReady = null;
    Duration settle = null;
    CompiledExpression unhealthyWhen = null;
    if (metadata != null) {
      DnsName.ofObject(metadata.field("name"));
      Fields annotations = metadata.field("annotations").objectOrEmpty();
      if (annotations != null) {
        // The age from which a node that was never Ready is unhealthy (RB-4).
        neverReady = ApiDuration.read(annotations.keyed(WireNames.NEVER_READY_AFTER));
        settle = settle(annotations.keyed(WireNames.SETTLE));
        unhealthyWhen =
            CompiledExpression.read(
                annotations.keyed(WireNames.UNHEALTHY_WHEN), NodeVariables.DECLARED);
        OwnAnnotations.warnOfUnknown(annotations, ANNOTATIONS);
      }
    }
    Field field = object.field("spec");
    if (!field.isPresent()) {
      field.required("what to check and how to remediate");
    }
    Fields spec = field.object();
    if (spec == null) {
      return null;
    }
    LabelSelector selector = selector(spec.field("selector"));
    List<UnhealthyCondition> conditions = conditions(spec.field("unhealthyConditions"));
    HealthyFloor floor = floor(spec);
    List<RemediationStep> steps = new StepsReader(kinds).read(spec);
    Duration storm = ApiDuration.read(spec.field("stormCooldownDuration"));
    List<String> pauses = spec.field("pauseRequests").texts();
    Duration delay = ApiDuration.readSigned(spec.field("healthyDelay"));
    spec.rejectUnknown(Set.of());
    return floor == null || steps.isEmpty()
        ? null
        : new NodeHealthCheckSpec(
            selector,
            conditions,
            floor,
            steps,
            storm,
            pauses,
            delay == null ? Duration.ZERO : delay,
            neverReady,
            settle == null ? NodeHealthCheckSpec.DEFAULT_SETTLE : settle,
            unhealthyWhen);
  }

  /** The wait is limited, because a flapping node would otherwise delay all others (RB-6). */
  private static @Nullable Duration settle(Field field) {
    Duration settle = ApiDuration.read(field);
    if (settle != null && settle.compareTo(NodeHealthCheckSpec.MAX_SETTLE) > 0) {
      field.invalid("must be a duration from 0s to 10s");
      return null;
    }
    return settle;
  }

  private LabelSelector selector(Field field) {
    int errors = field.errors();
    LabelSelector selector = LabelSelectorReader.read(field);
    boolean empty = selector == null || selector.isEmpty();
    if (empty && field.errors() == errors && !selectorMayBeEmpty) {
      field.required("which nodes to check, as matchLabels or matchExpressions");
    }
    return selector == null ? LabelSelector.EVERYTHING : selector;
  }

  private static List<UnhealthyCondition> conditions(Field list) {
    if (!list.isPresent()) {
      return UnhealthyCondition.DEFAULTS; // not Ready for five minutes (NHC-1)
    }
    List<UnhealthyCondition> conditions = new ArrayList<>();
    Set<List<String>> seen = new HashSet<>();
    for (Fields item : FieldRules.objects(list)) {
      String type =
          FieldRules.requiredText(item.field("type"), "the node condition's type, such as Ready");
      String status = FieldRules.requiredText(item.field("status"), "True, False or Unknown");
      Field durationField = item.field("duration");
      if (!durationField.isPresent()) {
        durationField.required("how long the condition must have lasted, such as 5m");
      }
      Duration duration = ApiDuration.read(durationField);
      item.rejectUnknown(Set.of());
      if (type != null && status != null && !seen.add(List.of(type, status))) {
        item.self()
            .error(
                Complaint.DUPLICATE_VALUE,
                "Duplicate value: " + type + " " + status + " is already listed");
      } else if (type != null && status != null && duration != null) {
        conditions.add(new UnhealthyCondition(type, status, duration));
      }
    }
    if (list.isEmpty()) {
      list.warning("is empty, so no node is ever unhealthy");
    }
    return conditions;
  }

  /** Exactly one of two fields sets the number of healthy nodes (NHC-2 to NHC-4). */
  private static @Nullable HealthyFloor floor(Fields spec) {
    Field minHealthy = spec.field("minHealthy");
    Field maxUnhealthy = spec.field("maxUnhealthy");
    NodeCount min = NodeCountReader.read(minHealthy);
    NodeCount max = NodeCountReader.read(maxUnhealthy);
    if (maxUnhealthy.isPresent() && StepsReader.names(spec, MACHINE_DELETION)) {
      maxUnhealthy.forbidden(
          "may not be used with " + MACHINE_DELETION + ": deleted nodes are not counted");
    }
    if (minHealthy.isPresent() && maxUnhealthy.isPresent()) {
      maxUnhealthy.forbidden("may not be set together with minHealthy");
    } else if (!minHealthy.isPresent() && !maxUnhealthy.isPresent()) {
      spec.self().required("one of minHealthy and maxUnhealthy");
    }
    if (min != null) {
      return new HealthyFloor.MinHealthy(min);
    }
    return max == null ? null : new HealthyFloor.MaxUnhealthy(max);
  }
}
