package io.probelet.cluster.care;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.cluster.care.ClusterHealthSpec.CaSecrets;
import io.probelet.cluster.care.ClusterHealthSpec.Components;
import io.probelet.cluster.care.ClusterHealthSpec.Contribution;
import io.probelet.cluster.care.ClusterHealthSpec.ExpressionCheck;
import io.probelet.cluster.care.ClusterHealthSpec.Gardener;
import io.probelet.cluster.care.ClusterHealthSpec.WebhookRemediationMode;
import io.probelet.document.field.ApiDuration;
import io.probelet.document.field.ApiObject;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Suggestion;
import io.probelet.document.name.LabelValue;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads a ClusterHealth and reports every problem: for {@code probelet validate} and before every
 * round (CH-25).
 */
public final class ClusterHealthReader {
  /** The kind of the resource. */
  public static final String KIND = "ClusterHealth";

  static final Duration SYNC_PERIOD = Duration.ofMinutes(1);

  /** Group and version of ClusterHealths. */
  public static final String API_VERSION = "probelet.io/v1alpha1";

  private static final String NAME = "cluster";
  private static final Duration SHORTEST_PERIOD = Duration.ofSeconds(1);
  private static final Duration PROGRESSING = Duration.ofHours(1);

  private final NamedChecks checks;
  private final Severity idleThreshold;

  private ClusterHealthReader(NamedChecks checks, Severity idleThreshold) {
    this.checks = checks;
    this.idleThreshold = idleThreshold;
  }

  /**
   * Reads resources that are about to be applied; a threshold without effect is an error.
   *
   * @param checks the checks that components may name
   */
  public static ClusterHealthReader ofNew(NamedChecks checks) {
    return new ClusterHealthReader(checks, Severity.ERROR);
  }

  /**
   * Reads existing resources; a threshold without effect is a warning.
   *
   * @param checks the checks that components may name
   */
  public static ClusterHealthReader ofExisting(NamedChecks checks) {
    return new ClusterHealthReader(checks, Severity.WARNING);
  }

  /**
   * The result of reading a resource.
   *
   * @param valid the spec; null if the resource is invalid
   * @param problems all errors and warnings
   */
  public record Reading(@Nullable ClusterHealthSpec valid, List<Problem> problems) {
    /** Keeps an unmodifiable copy of the problems. */
    public Reading {
      problems = List.copyOf(problems);
    }

    /** {@return the spec; empty if the resource is invalid} */
    public Optional<ClusterHealthSpec> spec() {
      return Optional.ofNullable(valid);
    }

    /** {@return the errors in one line; empty if there are none} */
    public String refusal() {
      return Problem.texts(problems.stream().filter(Problem::isError).toList());
    }
  }

  /**
   * Reads a resource of a cluster.
   *
   * @param resource the resource as JSON; a missing spec means all defaults
   * @return the spec or its errors
   */
  public Reading read(JsonNode resource) {
    Problems problems = Problems.ofObject(KIND);
    Fields object = ApiObject.read(resource, problems).object();
    Fields spec = object == null ? null : object.field("spec").objectOrEmpty();
    ClusterHealthSpec read = spec == null ? null : spec(spec);
    return new Reading(problems.errors() == 0 ? read : null, problems.all());
  }

  /** Reads a resource of a file; its problems are added to the file's. */
  public void read(Fields resource) {
    resource.field("kind");
    FieldRules.exactly(resource.field("apiVersion"), API_VERSION);
    Fields metadata = resource.field("metadata").object();
    Field name = metadata == null ? resource.field("metadata") : metadata.field("name");
    if (!name.isPresent()) {
      name.required("must be " + NAME);
    } else if (metadata != null && name.isText() && !name.text("").equals(NAME)) {
      name.invalid("only the ClusterHealth named \"" + NAME + "\" is used");
    }
    Fields spec = resource.field("spec").objectOrEmpty();
    if (spec != null) {
      spec(spec);
    }
    resource.rejectUnknown(Set.of("status"));
  }

  private ClusterHealthSpec spec(Fields spec) {
    Field periodField = spec.field("syncPeriod");
    Duration period = ApiDuration.read(periodField);
    if (period != null && period.compareTo(SHORTEST_PERIOD) < 0) {
      periodField.invalid("must be 1s or more");
    }
    Field thresholds = spec.field("thresholds");
    int minimumNodes = FieldRules.atLeast(spec.field("minimumNodes"), 0, 0);
    List<String> absent = ComponentsReader.conditionTypes(spec.field("absentConditions"));
    ComponentsReader reader = new ComponentsReader(checks);
    List<Components> components = reader.components(spec.field("components"));
    List<Contribution> contributions = reader.contributions(spec.field("contributions"));
    List<ExpressionCheck> expressions = reader.expressions(spec.field("expressions"));
    WebhookRemediationMode mode =
        FieldRules.oneOf(spec.field("webhookRemediation"), WebhookRemediationMode.values());
    List<CaSecrets> secrets = reader.caSecrets(spec.field("caSecrets"));
    Map<String, String> systemPodLabels = labels(spec.field("systemPodLabels"));
    Gardener gardener = gardener(spec.field("gardener"));
    Set<String> types =
        new TreeSet<>(
            List.of(CareConditions.API_SERVER_AVAILABLE, CareConditions.EVERY_NODE_READY));
    components.forEach(each -> types.add(each.conditionType()));
    contributions.forEach(each -> types.addAll(each.conditionTypes()));
    expressions.forEach(each -> types.add(each.conditionType()));
    if (gardener != null) {
      types.addAll(gardener.rule().conditionTypes());
    }
    Map<String, Duration> read = thresholds(thresholds, types, gardener);
    spec.rejectUnknown(Set.of());
    return new ClusterHealthSpec(
        period == null ? SYNC_PERIOD : period,
        read,
        minimumNodes,
        absent,
        components,
        contributions,
        expressions,
        mode == null ? WebhookRemediationMode.DISABLED : mode,
        secrets,
        systemPodLabels,
        gardener);
  }

  private Map<String, Duration> thresholds(
      Field field, Set<String> types, @Nullable Gardener gardener) {
    Map<String, Duration> thresholds = new HashMap<>();
    for (Field threshold : FieldRules.entries(field)) {
      Duration read = ApiDuration.read(threshold);
      if (!threshold.isPresent()) {
        threshold.invalid("must be a duration such as 90s, 1.5h or 2h45m");
      }
      if (read != null) {
        thresholds.put(threshold.name(), read);
      }
      if (!types.contains(threshold.name())) {
        idle(threshold, types, gardener != null && gardener.rule().mayFeed(threshold.name()));
      }
    }
    return thresholds;
  }

  /** A threshold for a type without a condition has no effect; the type may be misspelled. */
  private void idle(Field threshold, Set<String> types, boolean byLabel) {
    String meant = Suggestion.question(threshold.name(), types);
    // CH-27: a ManagedResource in the cluster may have such a label, which a file does not show
    if (byLabel) {
      if (!meant.isEmpty()) {
        threshold.warning(
            "only ManagedResources with this label can create such a condition" + meant);
      }
      return;
    }
    String message =
        "unknown condition type"
            + (meant.isEmpty() ? "; known types: " + String.join(", ", types) : meant);
    if (idleThreshold == Severity.ERROR) {
      threshold.error(message);
    } else {
      threshold.warning(message);
    }
  }

  private static Map<String, String> labels(Field field) {
    Map<String, String> labels = new HashMap<>();
    for (Field label : FieldRules.entries(field)) {
      String value = label.text("");
      if (LabelValue.isValid(value)) {
        labels.put(label.name(), value);
      } else {
        label.invalid(LabelValue.RULE);
      }
    }
    return labels;
  }

  private static @Nullable Gardener gardener(Field field) {
    Fields gardener = field.object();
    if (gardener == null) {
      return null;
    }
    ManagedResourceRule rule =
        FieldRules.oneOf(gardener.field("rule"), ManagedResourceRule.values());
    List<String> namespaces = gardener.field("namespaces").texts();
    Duration progressing = ApiDuration.read(gardener.field("progressingThreshold"));
    boolean prometheus = gardener.field("prometheusHealthChecks").bool(false);
    gardener.rejectUnknown(Set.of());
    ManagedResourceRule by = rule == null ? ManagedResourceRule.SHOOT : rule;
    return new Gardener(
        by,
        namespaces.isEmpty() ? by.namespaces() : namespaces,
        progressing == null ? PROGRESSING : progressing,
        prometheus);
  }
}
