package io.probelet.nodehealth.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Finding;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a NodeHealthCheck and says everything that is wrong with it: for the admission webhook, for
 * {@code probelet validate} and before every plan.
 */
public final class NodeHealthCheckReader {
  private static final String MACHINE_DELETION = "MachineDeletionRemediationTemplate";
  static final Set<String> SPEC =
      Set.of(
          "selector",
          "unhealthyConditions",
          "minHealthy",
          "maxUnhealthy",
          "stormCooldownDuration",
          "remediationTemplate",
          "escalatingRemediations",
          "pauseRequests",
          "healthyDelay");

  private final TemplateKinds kinds;
  private final boolean selectorMayBeEmpty;

  private NodeHealthCheckReader(TemplateKinds kinds, boolean selectorMayBeEmpty) {
    this.kinds = kinds;
    this.selectorMayBeEmpty = selectorMayBeEmpty;
  }

  /**
   * Reads new resources, which must have a selector.
   *
   * @param kinds what is known about templates
   * @return the reader
   */
  public static NodeHealthCheckReader ofNew(TemplateKinds kinds) {
    return new NodeHealthCheckReader(kinds, false);
  }

  /**
   * Reads resources that exist already; without a selector they select all nodes.
   *
   * @param kinds what is known about templates
   * @return the reader
   */
  public static NodeHealthCheckReader ofExisting(TemplateKinds kinds) {
    return new NodeHealthCheckReader(kinds, true);
  }

  /** What a resource came to. */
  public static final class Reading {
    private final @Nullable NodeHealthCheckSpec spec;
    private final List<Finding> findings;

    private Reading(@Nullable NodeHealthCheckSpec spec, List<Finding> findings) {
      this.spec = spec;
      this.findings = List.copyOf(findings);
    }

    /** {@return the spec; empty if the resource is refused} */
    public Optional<NodeHealthCheckSpec> spec() {
      return Optional.ofNullable(spec);
    }

    /** {@return everything that is wrong, refusals and remarks} */
    public List<Finding> findings() {
      return findings;
    }
  }

  /**
   * Reads a resource.
   *
   * @param resource the whole resource as JSON
   * @return its spec, or why not
   */
  public Reading read(JsonNode resource) {
    List<Finding> findings = new ArrayList<>();
    JsonField root = JsonField.root(resource, findings);
    NodeHealthCheckSpec spec = root.isObject() ? spec(root) : null;
    return new Reading(findings.stream().anyMatch(Finding::fatal) ? null : spec, findings);
  }

  private @Nullable NodeHealthCheckSpec spec(JsonField root) {
    root.at("metadata").at("name").requiredText("the resource's name");
    JsonField spec = root.at("spec");
    if (!spec.isPresent()) {
      spec.required("what to check and how to remediate");
    }
    if (!spec.isPresent() || !spec.isObject()) {
      return null;
    }
    spec.rejectUnknown(SPEC);
    LabelSelector selector = selector(spec.at("selector"));
    List<UnhealthyCondition> conditions = conditions(spec.at("unhealthyConditions"));
    HealthyFloor floor = floor(spec);
    List<RemediationStep> steps = new StepsReader(kinds).read(spec);
    Duration storm = ScalarReader.duration(spec.at("stormCooldownDuration"));
    List<String> pauses = spec.at("pauseRequests").texts();
    Duration delay = ScalarReader.signedDuration(spec.at("healthyDelay"));
    Duration neverReady =
        ScalarReader.duration(
            root.at("metadata").at("annotations").keyed(WireNames.NEVER_READY_AFTER)); // RB-4
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
            neverReady);
  }

  private LabelSelector selector(JsonField field) {
    boolean empty = field.at("matchLabels").isEmpty() && field.at("matchExpressions").isEmpty();
    if (empty && field.isObject() && !selectorMayBeEmpty) {
      field.required("which nodes to check, as matchLabels or matchExpressions");
    }
    return SelectorReader.read(field);
  }

  private static List<UnhealthyCondition> conditions(JsonField list) {
    if (!list.isPresent()) {
      return UnhealthyCondition.DEFAULTS; // NHC-1
    }
    List<UnhealthyCondition> conditions = new ArrayList<>();
    Set<List<String>> seen = new HashSet<>();
    for (JsonField item : list.items()) {
      if (!item.isObject()) {
        continue;
      }
      item.rejectUnknown(Set.of("type", "status", "duration"));
      String type = item.at("type").requiredText("the node condition's type, such as Ready");
      String status = item.at("status").requiredText("True, False or Unknown");
      JsonField durationField = item.at("duration");
      if (!durationField.isPresent()) {
        durationField.required("how long the condition must have lasted, such as 5m");
      }
      Duration duration = ScalarReader.duration(durationField);
      if (type != null && status != null && !seen.add(List.of(type, status))) {
        item.duplicate(type + " " + status + " is listed already");
      } else if (type != null && status != null && duration != null) {
        conditions.add(new UnhealthyCondition(type, status, duration));
      }
    }
    if (list.isEmpty()) {
      list.remark("is empty, so no node is ever unhealthy");
    }
    return conditions;
  }

  /** NHC-2 to NHC-4. */
  private static @Nullable HealthyFloor floor(JsonField spec) {
    JsonField minHealthy = spec.at("minHealthy");
    JsonField maxUnhealthy = spec.at("maxUnhealthy");
    NodeCount min = ScalarReader.count(minHealthy);
    NodeCount max = ScalarReader.count(maxUnhealthy);
    if (maxUnhealthy.isPresent() && deletesMachines(spec)) {
      maxUnhealthy.forbidden(
          "may not be used with " + MACHINE_DELETION + ": deleted nodes are counted neither way");
    }
    if (minHealthy.isPresent() && maxUnhealthy.isPresent()) {
      maxUnhealthy.forbidden("may not be set together with minHealthy");
    } else if (!minHealthy.isPresent() && !maxUnhealthy.isPresent()) {
      spec.required("one of minHealthy and maxUnhealthy");
    }
    if (min != null) {
      return new HealthyFloor.MinHealthy(min);
    }
    return max == null ? null : new HealthyFloor.MaxUnhealthy(max);
  }

  private static boolean deletesMachines(JsonField spec) {
    JsonNode value = spec.value();
    return value != null
        && value.findValuesAsText("kind").stream().anyMatch(MACHINE_DELETION::equalsIgnoreCase);
  }
}
