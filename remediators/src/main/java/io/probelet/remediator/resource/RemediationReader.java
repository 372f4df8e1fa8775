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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads remediations and their templates, and says everything that is wrong with one: for {@code
 * probelet validate}, and before anything is done (ACT-50).
 */
public final class RemediationReader {
  /** The places of Jobs' templates in the specs of all kinds. */
  private static final List<List<String>> JOBS =
      List.of(
          List.of("job", "template"),
          List.of("uncordon", "job", "template"),
          List.of("drain", "uncordon", "job", "template"));

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

  /**
   * Finds the templates of Jobs in a remediation or a template of one.
   *
   * @param kind its kind, one that {@linkplain #reads is read}
   * @return the templates, each with a value
   */
  public static List<Field> jobTemplates(String kind, Fields resource) {
    List<String> ofTemplate =
        RemediationKind.ofTemplateKind(kind).isPresent() ? List.of("template", "spec") : List.of();
    return JOBS.stream()
        .map(path -> Stream.concat(ofTemplate.stream(), path.stream()).toList())
        .flatMap(path -> child(resource.field("spec"), path).stream())
        .toList();
  }

  private static Optional<Field> child(Field field, List<String> path) {
    Optional<Field> found = Optional.of(field);
    for (String name : path) {
      found =
          found
              .filter(Field::isObject)
              .flatMap(each -> Optional.ofNullable(each.object()))
              .map(object -> object.field(name));
    }
    return found.filter(Field::isPresent);
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
