package io.probelet.rehearsal.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.field.Problems;
import io.probelet.document.field.Scope;
import io.probelet.document.tree.Document;
import io.probelet.document.tree.NodeJson;
import io.probelet.document.tree.Source;
import io.probelet.document.tree.SyntaxProblem;
import io.probelet.manifest.FileText;
import io.probelet.nodehealth.maintenance.Maintenance;
import io.probelet.nodehealth.maintenance.MaintenanceReader;
import io.probelet.nodehealth.policy.RemediationPolicy;
import io.probelet.nodehealth.policy.RemediationPolicyReader;
import io.probelet.nodehealth.rehearsal.AssumedTemplates;
import io.probelet.nodehealth.remediation.TemplateLookup;
import io.probelet.nodehealth.remediation.TemplateLookup.Template;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.ObjectRef;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.resource.TemplateKinds.Several;
import io.probelet.nodehealth.resource.WireNames;
import io.probelet.nodehealth.simulation.Scenario;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The input of a simulation, and all problems of its files. */
public final class SimulationInput {
  /** A list of all nodes of a cluster is long. */
  private static final int MAX_MEBIBYTES = 4;

  private final List<Problem> problems = new ArrayList<>();
  private final Map<ObjectRef, TemplateLookup> templates = new HashMap<>();
  private final List<NodeHealthCheck> checks = new ArrayList<>();
  private final List<RemediationPolicy> policies = new ArrayList<>();
  private final List<Maintenance> maintenances = new ArrayList<>();
  private final List<Selecting> selecting = new ArrayList<>();
  private Scenario scenario = new Scenario(List.of(), List.of(), List.of());

  /** A NodeHealthCheck and the position of its selector. */
  private record Selecting(NodeHealthCheck check, Field selector) {}

  private SimulationInput() {}

  /**
   * Reads the files.
   *
   * @param checkFile contains NodeHealthChecks, and optionally RemediationPolicies and
   *     Maintenances; other objects are ignored
   * @param templateFiles contain templates; without any, every template is assumed to exist
   */
  public static SimulationInput read(
      Path checkFile, List<Path> templateFiles, List<Path> policyFiles, Path scenarioFile) {
    SimulationInput input = readCandidate(checkFile, templateFiles, policyFiles);
    input.readScenario(scenarioFile);
    if (!input.hasErrors()) {
      input.selecting.forEach(each -> input.warnOfIdle(each.check(), each.selector(), checkFile));
    }
    return input;
  }

  /**
   * Reads the files of a rehearsal, which has a tape instead of a scenario.
   *
   * @param checkFile contains NodeHealthChecks; other objects are ignored
   * @param templateFiles contain templates; without any, every template is assumed to exist
   */
  public static SimulationInput readCandidate(
      Path checkFile, List<Path> templateFiles, List<Path> policyFiles) {
    SimulationInput input = new SimulationInput();
    templateFiles.forEach(input::readTemplates);
    input.readChecks(checkFile, templateFiles.isEmpty());
    policyFiles.forEach(input::readPolicies);
    if (input.policies.stream().map(RemediationPolicy::name).distinct().count()
        < input.policies.size()) {
      input.problem(
          policyFiles.isEmpty() ? checkFile : policyFiles.getLast(),
          "contains two RemediationPolicies with the same name");
    }
    if (input.maintenances.stream().map(Maintenance::name).distinct().count()
        < input.maintenances.size()) {
      input.problem(
          policyFiles.isEmpty() ? checkFile : policyFiles.getLast(),
          "contains two Maintenances with the same name");
    }
    return input;
  }

  /** {@return the scenario} */
  public Scenario scenario() {
    return scenario;
  }

  /** {@return the NodeHealthChecks} */
  public List<NodeHealthCheck> checks() {
    return Collections.unmodifiableList(checks);
  }

  /** {@return the RemediationPolicies} */
  public List<RemediationPolicy> policies() {
    return Collections.unmodifiableList(policies);
  }

  /** {@return the Maintenances} */
  public List<Maintenance> maintenances() {
    return Collections.unmodifiableList(maintenances);
  }

  /** {@return the templates} */
  public Map<ObjectRef, TemplateLookup> templates() {
    return Collections.unmodifiableMap(templates);
  }

  /** {@return all problems of the files, by position} */
  public List<Problem> problems() {
    return problems.stream().sorted(Problem.BY_PLACE).toList();
  }

  /** {@return whether errors prevent the simulation} */
  public boolean hasErrors() {
    return problems.stream().anyMatch(Problem::isError);
  }

  private void readChecks(Path file, boolean assumeTemplates) {
    NodeHealthCheckReader reader =
        NodeHealthCheckReader.ofNew(assumeTemplates ? TemplateKinds.UNKNOWN : this::severalOf);
    eachDocument(
        file,
        Severity.WARNING,
        root -> {
          Fields object = root.object();
          if (object == null || readLimit(object)) {
            return;
          }
          if (NodeHealthCheck.KIND.equals(object.field("kind").text(""))) {
            Field spec = object.field("spec");
            reader
                .read(object)
                .ifPresent(check -> {
                  checks.add(check);
                  Fields fields = spec.object();
                  selecting.add(
                      new Selecting(check, fields == null ? spec : fields.field("selector")));
                });
          }
        });
    Set<String> names = new HashSet<>();
    for (NodeHealthCheck check : checks) {
      if (!names.add(check.name())) {
        problem(file, "contains two NodeHealthChecks named " + check.name());
      }
      if (assumeTemplates) {
        templates.putAll(AssumedTemplates.of(check));
      }
    }
    if (checks.isEmpty() && !hasErrors()) {
      problem(file, "contains no NodeHealthCheck");
    }
  }

  /** Returns whether it limits remediations. */
  private boolean readLimit(Fields object) {
    switch (object.field("kind").text("")) {
      case RemediationPolicy.KIND -> RemediationPolicyReader.read(object).ifPresent(policies::add);
      case Maintenance.KIND -> MaintenanceReader.read(object).ifPresent(maintenances::add);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void readPolicies(Path file) {
    eachDocument(
        file,
        Severity.WARNING,
        root -> {
          Fields object = root.object();
          if (object == null || !readLimit(object)) {
            root.error("must be a RemediationPolicy or a Maintenance");
          }
        });
  }

  /** Without a matching node nothing is ever remediated, and the timeline would not show why. */
  private void warnOfIdle(NodeHealthCheck check, Field selector, Path file) {
    if (!ScenarioNodes.anySelected(scenario, check.spec().selector())) {
      problems.add(
          new Problem(
              file.toString(),
              0,
              selector.at(),
              Severity.WARNING,
              selector.path(),
              "matches no node of the scenario, so NodeHealthCheck %s has no effect"
                  .formatted(check.name())));
    }
  }

  /** Whether to report the label; as in a cluster, the planner decides about its effect. */
  private Several severalOf(String apiVersion, String kind) {
    List<Template> ofKind = new ArrayList<>();
    templates.forEach((ref, lookup) -> {
      boolean same = ref.apiVersion().equals(apiVersion) && ref.kind().equals(kind);
      if (same && lookup instanceof Template template) {
        ofKind.add(template);
      }
    });
    boolean allowed = !ofKind.isEmpty() && ofKind.stream().allMatch(Template::severalOfItsKind);
    return allowed ? Several.ALLOWED : Several.UNKNOWN;
  }

  private void readTemplates(Path file) {
    eachDocument(
        file,
        Severity.WARNING,
        root -> {
          JsonNode object = root.value() == null ? null : NodeJson.of(root.value()).orElse(null);
          if (object == null || !object.isObject()) {
            root.error("must be a template, with apiVersion, kind and metadata.name");
            return;
          }
          JsonNode metadata = object.path("metadata");
          String namespace = metadata.path("namespace").asText("");
          JsonNode template = object.path("spec").path("template");
          templates.put(
              new ObjectRef(
                  object.path("apiVersion").asText(""),
                  object.path("kind").asText(""),
                  namespace.isEmpty() ? null : namespace,
                  metadata.path("name").asText("")),
              new Template(
                  template.isObject(),
                  template.get("spec"),
                  metadata.path("annotations").has(WireNames.MULTIPLE_TEMPLATES)));
        });
  }

  private void readScenario(Path file) {
    int[] documents = new int[1];
    eachDocument(
        file,
        Severity.ERROR,
        root -> {
          documents[0]++;
          scenario = new ScenarioReader().read(root);
        });
    if (documents[0] != 1 && !hasErrors()) {
      problem(file, "must contain one document, the scenario; it contains " + documents[0]);
    }
  }

  private void eachDocument(Path file, Severity unknownFields, Consumer<Field> reader) {
    switch (FileText.read(file, MAX_MEBIBYTES)) {
      case FileText.Unreadable(Problem problem) -> problems.add(problem);
      case FileText.Text(Source source) -> {
        for (Document document : Document.yaml(source).toList()) {
          Problems found = new Problems(file, document.number());
          for (SyntaxProblem problem : document.problems()) {
            found.error(problem.at(), "", problem.message());
          }
          if (document.root() != null) {
            Scope scope = new Scope(found, unknownFields);
            reader.accept(Field.ofDocument(scope, "", document.root()));
          }
          problems.addAll(found.all());
        }
      }
    }
  }

  private void problem(Path file, String message) {
    problems.add(Problem.ofFile(file, Severity.ERROR, message));
  }
}
