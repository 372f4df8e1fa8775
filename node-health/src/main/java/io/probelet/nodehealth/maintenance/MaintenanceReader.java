package io.probelet.nodehealth.maintenance;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.ApiObject;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.name.DnsName;
import io.probelet.document.selector.LabelSelector;
import io.probelet.document.selector.LabelSelectorReader;
import io.probelet.health.OneLine;
import io.probelet.kube.MaintenanceNote;
import io.probelet.kube.Metadata;
import io.probelet.kube.WireTime;
import io.probelet.nodehealth.maintenance.Maintenance.Plan;
import io.probelet.nodehealth.maintenance.Maintenance.Planned;
import io.probelet.nodehealth.maintenance.Maintenance.Unreadable;
import io.probelet.nodehealth.policy.Blackout;
import io.probelet.nodehealth.policy.WindowLength;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads a Maintenance and reports all problems: for {@code probelet validate}, and in a cluster,
 * where an invalid one allows no remediation of its nodes (MW-5).
 */
public final class MaintenanceReader {
  /** A problem must fit into a status and an event. */
  private static final int MAX_PROBLEM_CHARS = 500;

  private static final int MAX_REASON_CHARS = 256;

  private static final int FIRST_YEAR = 1970;
  private static final int LAST_YEAR = 9999;
  private static final int MAX_REQUIREMENTS = 64;

  private MaintenanceReader() {}

  /**
   * Reads a Maintenance of a cluster.
   *
   * @return the Maintenance; with an error its plan is {@link Unreadable}
   */
  public static Maintenance read(JsonNode resource) {
    Problems problems = Problems.ofObject(Maintenance.KIND);
    Fields object = ApiObject.read(resource, problems).object();
    Draft draft = object == null ? Draft.NONE : spec(object.field("spec"));
    Plan plan = problems.errors() == 0 ? draft.planned() : null;
    return new Maintenance(
        resource.at("/metadata/name").asText(),
        Metadata.uid(resource),
        draft.selector() == null ? LabelSelector.EVERYTHING : draft.selector(),
        plan == null ? new Unreadable(OneLine.of(problems.errorText(), MAX_PROBLEM_CHARS)) : plan);
  }

  /**
   * Reads a Maintenance of a file; its problems are added to the file's.
   *
   * @return the Maintenance; empty if it is invalid
   */
  public static Optional<Maintenance> read(Fields object) {
    int errors = object.errors();
    FieldRules.exactly(object.field("apiVersion"), Maintenance.API_VERSION);
    Fields metadata = object.field("metadata").objectOrEmpty();
    String name = metadata == null ? null : name(metadata.field("name"));
    Field spec = object.field("spec");
    Draft draft = spec(spec);
    if (draft.selector() == null
        || draft.planned() == null
        || name == null
        || object.errors() != errors) {
      return Optional.empty();
    }
    if (draft.selector().isEmpty()) {
      spec.warning("selects all nodes: while it lasts, no node is remediated and no alert fires");
    }
    return Optional.of(new Maintenance(name, "", draft.selector(), draft.planned()));
  }

  private static @Nullable String name(Field field) {
    String name = DnsName.ofObject(field);
    if (name != null && name.length() > MaintenanceNote.MAX_NAME) {
      field.invalid("must have at most " + MaintenanceNote.MAX_NAME + " characters");
    }
    return name;
  }

  /** Returns the readable parts; a valid selector may be in an invalid spec. */
  private record Draft(@Nullable LabelSelector selector, @Nullable Planned planned) {
    static final Draft NONE = new Draft(null, null);
  }

  private static Draft spec(Field field) {
    Fields spec = field.objectOrEmpty();
    if (spec == null) {
      return Draft.NONE;
    }
    LabelSelector selector = selector(spec.field("nodeSelector"));
    Instant start = start(spec.field("start"));
    Duration duration =
        WindowLength.read(spec.field("duration"), "how long the maintenance lasts, such as 4h");
    Field reasonField = spec.field("reason");
    String reason = reasonField.text("");
    if (reason.length() > MAX_REASON_CHARS) {
      reasonField.invalid("must have at most " + MAX_REASON_CHARS + " characters");
    }
    // MW-5: a newer CRD may have fields that this program does not know.
    spec.rejectUnknown(Severity.ERROR, "unknown field, cannot tell when the maintenance is");
    return new Draft(
        selector,
        start == null || duration == null
            ? null
            : new Planned(
                new Blackout(start, start.plus(duration)), OneLine.of(reason, MAX_REASON_CHARS)));
  }

  /** Required, so that a forgotten selector does not put the whole cluster into maintenance. */
  private static @Nullable LabelSelector selector(Field field) {
    if (!field.isPresent()) {
      field.required("the nodes in maintenance; {} for all nodes");
      return null;
    }
    LabelSelector selector = LabelSelectorReader.read(field);
    if (selector != null
        && Math.max(selector.matchLabels().size(), selector.matchExpressions().size())
            > MAX_REQUIREMENTS) {
      field.error("must not have more than %d labels or expressions".formatted(MAX_REQUIREMENTS));
      return null;
    }
    return selector;
  }

  private static @Nullable Instant start(Field field) {
    String text =
        FieldRules.requiredText(field, "when the maintenance begins, such as 2026-12-01T22:00:00Z");
    if (text == null) {
      return null;
    }
    Instant start = text.length() > WireTime.MAX_CHARS ? null : WireTime.read(text);
    int year = start == null ? 0 : start.atOffset(ZoneOffset.UTC).getYear();
    if (year < FIRST_YEAR || year >= LAST_YEAR) {
      field.invalid(
          "must be a time with its offset, such as 2026-12-01T22:00:00Z or 2026-12-01T23:00:00+01:00");
      return null;
    }
    return start;
  }
}
