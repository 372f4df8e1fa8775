package io.probelet.cli.validate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.field.Problem;
import io.probelet.document.field.Problem.Severity;
import io.probelet.document.tree.Position;
import io.probelet.manifest.Manifests;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Static Analysis Results Interchange Format 2.1.0 of OASIS, which code hosts show beside the
 * lines of a change.
 */
public final class SarifReport {
  private static final String SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json";

  private SarifReport() {}

  /**
   * Writes a report.
   *
   * @param version the version of this program; null if it is not known
   * @throws JsonProcessingException never for what manifests hold
   */
  public static String write(Manifests manifests, @Nullable String version)
      throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode log = mapper.createObjectNode();
    log.put("$schema", SCHEMA);
    log.put("version", "2.1.0");
    ObjectNode run = log.putArray("runs").addObject();
    ObjectNode driver = run.putObject("tool").putObject("driver");
    driver.put("name", "probelet");
    if (version != null) {
      driver.put("version", version);
    }
    List<SarifRule> rules = SarifRule.all();
    for (SarifRule rule : rules) {
      ObjectNode one = driver.withArray("rules").addObject();
      one.put("id", rule.id());
      one.putObject("shortDescription").put("text", rule.description());
    }
    List<String> ids = rules.stream().map(SarifRule::id).toList();
    run.put("columnKind", "unicodeCodePoints");
    run.putArray("results");
    for (Problem problem : manifests.problems()) {
      ObjectNode result = run.withArray("results").addObject();
      String id = problem.rule();
      result.put("ruleId", id);
      result.put("ruleIndex", ids.indexOf(id));
      result.put("level", level(problem.severity()));
      result.putObject("message").put("text", problem.text());
      place(problem, result.putArray("locations").addObject());
    }
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(log);
  }

  private static String level(Severity severity) {
    return switch (severity) {
      case ERROR -> "error";
      case WARNING -> "warning";
      case ADVICE -> "note";
    };
  }

  private static void place(Problem problem, ObjectNode location) {
    ObjectNode physical = location.putObject("physicalLocation");
    physical.putObject("artifactLocation").put("uri", uri(problem.origin()));
    Position at = problem.at();
    if (at != null && at.line() > 0) {
      ObjectNode region = physical.putObject("region");
      region.put("startLine", at.line());
      if (at.column() > 0) {
        region.put("startColumn", at.column());
      }
    }
    if (!problem.field().isEmpty()) {
      location.putArray("logicalLocations").addObject().put("fullyQualifiedName", problem.field());
    }
  }

  /** A relative path stays relative: to the root of the checkout, where it was named from there. */
  private static String uri(String file) {
    boolean absolute = file.startsWith("/");
    try {
      String path = absolute ? file : "/" + Path.of(file).normalize();
      String encoded = new URI("file", "", path, null).toASCIIString();
      return absolute
          ? encoded
          : encoded.substring("file:///".length()).replace(":", "%3A"); // no scheme ends there
    } catch (URISyntaxException noPath) {
      throw new IllegalStateException("every path can be encoded: " + file, noPath);
    }
  }
}
