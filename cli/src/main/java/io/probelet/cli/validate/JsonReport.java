package io.probelet.cli.validate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.probelet.document.field.Problem;
import io.probelet.manifest.Manifests;

/** One JSON object with the numbers and all problems. */
public final class JsonReport {
  private JsonReport() {}

  /**
   * Writes a report.
   *
   * @throws JsonProcessingException never for what manifests hold
   */
  public static String write(Manifests manifests) throws JsonProcessingException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode report = mapper.createObjectNode();
    Counts counts = Counts.of(manifests);
    report.put("pods", counts.pods());
    report.put("probes", counts.probes());
    if (manifests.checked().total() > 0) {
      ObjectNode checked = report.putObject("checked");
      manifests.checked().byKind().forEach(checked::put);
    }
    if (manifests.others().total() > 0) {
      ObjectNode skipped = report.putObject("skipped");
      manifests.others().byKind().forEach(skipped::put);
    }
    ArrayNode problems = report.putArray("problems");
    for (Problem problem : manifests.problems()) {
      ObjectNode one = problems.addObject();
      one.put("file", problem.origin());
      if (problem.document() > 0) {
        one.put("document", problem.document());
      }
      if (problem.at() != null) {
        one.put("line", problem.at().line());
        one.put("column", problem.at().column());
      }
      one.put("severity", problem.severity().word());
      one.put("field", problem.field());
      one.put("message", problem.message());
      one.put("rule", problem.rule());
    }
    return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(report);
  }
}
