package io.probelet.remediator.resource;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.ApiObject;
import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problems;
import io.probelet.document.name.DnsName;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads remediations and their templates, and says everything that is wrong with one: for {@code
 * probelet validate}, and before anything is done (ACT-50).
 */
public final class RemediationReader {
  private RemediationReader() {}

  /**
   * What a resource came to.
   *
   * @param valid the resource's spec; null if the resource is refused
   * @param problems everything that is wrong, refusals and remarks
   */
  public record Reading(@Nullable RemediationSpec valid, List<Problem> problems) {
    /** Keeps an unmodifiable copy. */
    public Reading {
      problems = List.copyOf(problems);
    }

    /** {@return the spec; empty if the resource is refused} */
    public Optional<RemediationSpec> spec() {
      return Optional.ofNullable(valid);
    }

    /** {@return why it is refused, in one line; empty if it is not} */
    public String refusal() {
      return Problem.texts(problems.stream().filter(Problem::isError).toList());
    }
  }

  /**
   * Reads a remediation of a cluster.
   *
   * @param resource the whole resource as JSON; without a spec all defaults hold
   * @return its spec, or why not
   */
  public static Reading read(RemediationKind kind, JsonNode resource) {
    Problems problems = Problems.ofObject(kind.kind());
    Fields object = ApiObject.read(resource, problems).object();
    Fields spec = object == null ? null : object.field("spec").objectOrEmpty();
    RemediationSpec read = spec == null ? null : SpecReader.read(kind, spec);
    return new Reading(problems.errors() == 0 ? read : null, problems.all());
  }

  /**
   * {@return whether a document is a remediation of ours or a template of one}
   *
   * @param apiVersion its group and version; empty if it says none
   */
  public static boolean reads(String kind, String apiVersion) {
    return (apiVersion.isEmpty() || apiVersion.startsWith(RemediationKind.GROUP + "/"))
        && (RemediationKind.ofKind(kind).isPresent()
            || RemediationKind.ofTemplateKind(kind).isPresent());
  }

  /**
   * Reads a remediation or a template of a file; everything wrong with it goes to the file's
   * problems.
   *
   * @param kind its kind, one that {@linkplain #reads is read}
   */
  public static void read(String kind, Fields resource) {
    resource.field("kind");
    FieldRules.exactly(resource.field("apiVersion"), RemediationKind.API_VERSION);
    Fields metadata = resource.field("metadata").objectOrEmpty();
    if (metadata != null) {
      DnsName.ofObject(metadata.field("name"));
    }
    Field spec = resource.field("spec");
    RemediationKind.ofKind(kind).ifPresent(remediation -> spec(remediation, spec));
    RemediationKind.ofTemplateKind(kind).ifPresent(remediation -> template(remediation, spec));
    resource.rejectUnknown(Set.of("status"));
  }

  private static void spec(RemediationKind kind, Field field) {
    Fields spec = field.objectOrEmpty();
    if (spec != null) {
      SpecReader.read(kind, spec);
    }
  }

  private static void template(RemediationKind kind, Field field) {
    if (!field.isPresent()) {
      field.required("{template: {spec: …}}, from which remediations are created");
    }
    Fields outer = field.object();
    if (outer == null) {
      return;
    }
    Field templateField = outer.field("template");
    outer.rejectUnknown(Set.of());
    if (!templateField.isPresent()) {
      templateField.required("{spec: …}, from which remediations are created");
    }
    Fields template = templateField.object();
    if (template != null) {
      spec(kind, template.field("spec"));
      template.rejectUnknown(Set.of());
    }
  }
}
