package io.probelet.nodehealth.policy;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.expression.CompiledExpression;
import io.probelet.document.field.ApiDuration;
import io.probelet.document.field.ApiObject;
import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.name.DnsName;
import io.probelet.document.name.ObjectType;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.selector.LabelSelectorReader;
import io.probelet.health.ShortText;
import io.probelet.kube.Metadata;
import io.probelet.nodehealth.policy.PolicyLimits.Backstop;
import io.probelet.nodehealth.policy.PolicyLimits.Spec;
import io.probelet.nodehealth.policy.PolicyLimits.Unreadable;
import io.probelet.nodehealth.resource.NodeCountReader;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec.NodeCount;
import io.probelet.nodehealth.resource.NodeVariables;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a RemediationPolicy and reports all problems: for {@code probelet validate}, and in a
 * cluster, where an invalid policy allows no remediation (ACT-71).
 */
public final class RemediationPolicyReader {
  /** The well-known zone label of nodes. */
  public static final String ZONE_LABEL = "topology.kubernetes.io/zone";

  /** A problem must fit into a status and an event. */
  private static final int MAX_PROBLEM_CHARS = 500;

  private static final int MAX_KINDS = 16;
  private static final int MAX_LABEL_CHARS = 317;
  private static final int MAX_TIMES = 100;
  private static final int MAX_ZONE_NODES = 100_000;
  private static final Duration LEAST_WITHIN = Duration.ofMinutes(1);
  private static final String TEMPLATE = "Template";

  private RemediationPolicyReader() {}

  /**
   * Reads a policy of a cluster.
   *
   * @return the policy; with an error it limits all nodes that it may select
   */
  public static RemediationPolicy read(JsonNode resource) {
    Problems problems = Problems.ofObject(RemediationPolicy.KIND);
    Fields object = ApiObject.read(resource, problems).object();
    Draft draft = object == null ? Draft.NONE : read(object, problems);
    return new RemediationPolicy(
        resource.at("/metadata/name").asText(),
        Metadata.uid(resource),
        draft.selector() == null ? LabelSelector.EVERYTHING : draft.selector(),
        draft.limits() == null ? new Unreadable(text(problems)) : draft.limits());
  }

  /**
   * Reads a policy of a file; its problems are added to the file's.
   *
   * @return the policy; empty if it is invalid
   */
  public static Optional<RemediationPolicy> read(Fields object) {
    int errors = object.errors();
    FieldRules.exactly(object.field("apiVersion"), RemediationPolicy.API_VERSION);
    Fields metadata = object.field("metadata").objectOrEmpty();
    String name = metadata == null ? null : DnsName.ofObject(metadata.field("name"));
    Field spec = object.field("spec");
    Draft draft = spec(spec);
    if (draft.limits() == null || name == null || object.errors() != errors) {
      return Optional.empty();
    }
    if (spec.isEmpty()) {
      spec.warning("sets no limit");
    }
    return Optional.of(
        new RemediationPolicy(
            name,
            "",
            draft.selector() == null ? LabelSelector.EVERYTHING : draft.selector(),
            draft.limits()));
  }

  private static Draft read(Fields object, Problems problems) {
    Draft draft = spec(object.field("spec"));
    return problems.errors() == 0 ? draft : new Draft(draft.selector(), null);
  }

  private static String text(Problems problems) {
    return ShortText.of(problems.errorText(), MAX_PROBLEM_CHARS);
  }

  /** Returns the readable parts; a valid selector may be in an invalid spec. */
  private record Draft(@Nullable LabelSelector selector, @Nullable Spec limits) {
    static final Draft NONE = new Draft(null, null);
  }

  private static Draft spec(Field field) {
    Fields spec = field.objectOrEmpty();
    if (spec == null) {
      return Draft.NONE;
    }
    int errors = field.errors();
    LabelSelector selector = LabelSelectorReader.read(spec.field("selector"));
    boolean selects = field.errors() == errors; // the nodes of an invalid selector are unknown
    Spec limits = limits(spec);
    // ACT-71: a newer CRD may have limits that this program does not know.
    spec.rejectUnknown(Severity.ERROR, "unknown field, cannot enforce what it limits");
    return new Draft(selects ? selector : null, field.errors() == errors ? limits : null);
  }

  private static Spec limits(Fields spec) {
    List<Window> windows = PolicyTimes.windows(spec.field("windows"));
    List<Blackout> blackouts = PolicyTimes.blackouts(spec.field("blackouts"));
    NodeCount maxNodes = NodeCountReader.read(spec.field("maxNodes"));
    Field perZone = spec.field("maxNodesPerZone");
    Integer maxNodesPerZone = number(perZone, 0, MAX_ZONE_NODES);
    Integer maxPerHour = number(spec.field("maxPerHour"), 0, PolicyGate.MAX_HISTORY);
    return new Spec(
        windows,
        blackouts,
        maxNodes,
        maxNodesPerZone,
        zoneLabel(spec.field("zoneLabel"), perZone),
        maxPerHour,
        backstop(spec.field("backstop")),
        kinds(spec.field("approval")),
        CompiledExpression.read(spec.field("holdWhen"), NodeVariables.DECLARED),
        spec.field("dryRun").bool(false),
        spec.field("paused").bool(false));
  }

  private static String zoneLabel(Field field, Field perZone) {
    String label = field.text("");
    if (label.length() > MAX_LABEL_CHARS) {
      field.invalid("must be the name of a label");
    } else if (field.isPresent() && !perZone.isPresent()) {
      field.warning(Complaint.NO_EFFECT, "has no effect without maxNodesPerZone");
    }
    return label.isEmpty() ? ZONE_LABEL : label;
  }

  private static @Nullable Backstop backstop(Field field) {
    Fields object = field.object();
    if (object == null) {
      return null;
    }
    Field timesField = object.field("times");
    Field withinField = object.field("within");
    if (!timesField.isPresent()) {
      timesField.required("after how many remediations a node is given up");
    }
    Integer times = number(timesField, 1, MAX_TIMES);
    if (!withinField.isPresent()) {
      withinField.required("within which time, such as 24h");
    }
    Duration within = ApiDuration.read(withinField);
    if (within != null
        && (within.compareTo(LEAST_WITHIN) < 0 || within.compareTo(PolicyHistory.LONGEST) > 0)) {
      withinField.invalid("must be from 1m to 720h");
      within = null;
    }
    object.rejectUnknown(Severity.ERROR, "unknown field");
    return times == null || within == null ? null : new Backstop(times, within);
  }

  private static Set<String> kinds(Field field) {
    Set<String> kinds = new HashSet<>();
    List<Field> items = field.items();
    if (items.size() > MAX_KINDS) {
      field.error("must not name more than " + MAX_KINDS + " kinds, but names " + items.size());
      return kinds;
    }
    for (Field item : items) {
      String kind =
          FieldRules.requiredText(item, "a kind of remediation, such as RebootRemediation");
      if (kind != null && !kind.equals(PolicyLimits.ANY_KIND) && !ObjectType.isKind(kind)) {
        item.invalid(ObjectType.KIND_RULE + ", or \"*\" for all kinds");
      } else if (kind != null && kind.endsWith(TEMPLATE)) {
        item.invalid(
            "must be the kind of the remediation, "
                + kind.substring(0, kind.length() - TEMPLATE.length()));
      } else if (kind != null) {
        kinds.add(kind);
      }
    }
    return kinds;
  }

  private static @Nullable Integer number(Field field, int least, int most) {
    if (!field.isPresent()) {
      return null;
    }
    int errors = field.errors();
    int number = field.int32(least);
    if (field.errors() != errors) {
      return null;
    }
    if (number < least || number > most) {
      field.invalid("must be from " + least + " to " + most);
      return null;
    }
    return number;
  }
}
