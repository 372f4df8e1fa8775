package io.probelet.fleet.ui.simulate;

import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Problem;
import io.probelet.nodehealth.rehearsal.AssumedTemplates;
import io.probelet.nodehealth.rehearsal.Candidate;
import io.probelet.nodehealth.remediation.NodeFacts;
import io.probelet.nodehealth.resource.NodeHealthCheck;
import io.probelet.nodehealth.resource.NodeHealthCheckReader;
import io.probelet.nodehealth.resource.NodeHealthCheckSpec;
import io.probelet.nodehealth.resource.NodeHealthCheckStatus;
import io.probelet.nodehealth.resource.TemplateKinds;
import io.probelet.nodehealth.simulation.Scenario;
import io.probelet.nodehealth.simulation.Simulation;
import io.probelet.nodehealth.simulation.Timeline;
import io.probelet.web.http.Resource.BadRequest;
import io.probelet.web.page.Html;
import io.probelet.web.page.PageQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * The page that plays. At most two requests play at a time, and no request plays more than {@link
 * FailureScenario#MAX_DOWN} nodes going down for six hours, twice; a tape has the bounds of its
 * player. May be called by several threads.
 */
public final class SimulatePage {
  private static final int MAX_AT_ONCE = 2;

  private final PlayedCluster cluster;
  private final @Nullable TapePlayer tape;
  private final Semaphore playing = new Semaphore(MAX_AT_ONCE);

  /**
   * Creates the page.
   *
   * @param tape what else can be played; null if there is none
   */
  public SimulatePage(PlayedCluster cluster, @Nullable TapePlayer tape) {
    this.cluster = cluster;
    this.tape = tape;
  }

  /**
   * Plays what is asked for.
   *
   * @return what is below the heading: the form, and what came of it; what is wrong with the
   *     parameters is said there
   * @throws BadRequest if a parameter is too long or given twice
   * @throws InterruptedException if the caller is interrupted while it waits for a tape
   */
  public Html content(Map<String, List<String>> query) throws BadRequest, InterruptedException {
    Question question = Question.of(new PageQuery(query));
    List<String> names = cluster.checks();
    String name =
        question.check().isEmpty() && !names.isEmpty() ? names.getFirst() : question.check();
    Html page = new Html();
    JsonNode resource = cluster.check(name).orElse(null);
    if (resource == null) {
      String why =
          names.isEmpty()
              ? "No NodeHealthCheck, or none readable."
              : "There is no NodeHealthCheck named " + name + ".";
      return page.element("p", why, "role", "alert");
    }
    NodeHealthCheckReader.Reading reading =
        NodeHealthCheckReader.ofExisting(TemplateKinds.UNKNOWN).read(resource);
    NodeHealthCheckSpec spec = reading.spec().orElse(null);
    if (spec == null) {
      String why =
          "NodeHealthCheck %s is not valid: %s".formatted(name, Problem.texts(reading.refusals()));
      page.element("p", why, "role", "alert");
      return page.add(SimulateForm.of(question, tape != null, names, name, List.of(), List.of()));
    }
    List<NodeFacts> selected = FailureScenario.selected(cluster.nodes(), spec);
    List<String> steps = spec.steps().stream().map(step -> step.remediationKind()).toList();
    page.add(SimulateForm.of(question, tape != null, names, name, steps, DownChoices.of(selected)));
    Base base = new Base(name, resource, spec, selected);
    if (question.play().equals(Question.TAPE)) {
      return page.add(playTape(question, base));
    }
    if (question.down().isEmpty()) {
      return page.element("p", "Choose what goes down, and play.", "class", "quiet");
    }
    if (!playing.tryAcquire()) {
      return page.element("p", "Two simulations are running; retry in a moment.", "role", "alert");
    }
    try {
      return page.add(play(question, base));
    } catch (BadRequest wrong) {
      return page.element("p", String.valueOf(wrong.getMessage()), "role", "alert");
    } finally {
      playing.release();
    }
  }

  /** The NodeHealthCheck as it is in the cluster, and its nodes. */
  private record Base(
      String name, JsonNode resource, NodeHealthCheckSpec spec, List<NodeFacts> nodes) {}

  private static Html play(Question question, Base base) throws BadRequest {
    List<String> down = FailureScenario.nodes(base.nodes(), question.down());
    Map<String, Timeline> timelines = new LinkedHashMap<>();
    timelines.put("As it is", play(question, base, base.spec(), down));
    if (question.changes()) {
      timelines.put("Changed", play(question, base, changed(question, base), down));
    }
    return SimulateResult.of(down.size(), timelines);
  }

  private static NodeHealthCheckSpec changed(Question question, Base base) throws BadRequest {
    NodeHealthCheckReader.Reading reading =
        NodeHealthCheckReader.ofNew(TemplateKinds.UNKNOWN)
            .read(ChangedCheck.of(base.resource(), question));
    return reading
        .spec()
        .orElseThrow(() ->
            new BadRequest(
                "with these changes it is not valid: " + Problem.texts(reading.refusals())));
  }

  private Html playTape(Question question, Base base) throws InterruptedException {
    try {
      if (tape == null) {
        throw new BadRequest("there is no tape here; start probelet ui with --tape FILE");
      }
      List<Candidate> candidates = new ArrayList<>();
      candidates.add(candidate("as it is", base.name(), base.spec()));
      if (question.changes()) {
        candidates.add(candidate("changed", base.name(), changed(question, base)));
      }
      return TapeResult.of(base.name(), tape.play(candidates, question.heals()));
    } catch (BadRequest wrong) {
      String why = TapeResult.brief(String.valueOf(wrong.getMessage()));
      return new Html().element("p", why, "role", "alert");
    }
  }

  private static Candidate candidate(String title, String name, NodeHealthCheckSpec spec) {
    NodeHealthCheck check = new NodeHealthCheck(name, "", spec, NodeHealthCheckStatus.NONE);
    return new Candidate(title, List.of(check), AssumedTemplates.of(check), List.of());
  }

  private static Timeline play(
      Question question, Base base, NodeHealthCheckSpec spec, List<String> down) {
    NodeHealthCheck check = new NodeHealthCheck(base.name(), "", spec, NodeHealthCheckStatus.NONE);
    String first = base.spec().steps().getFirst().remediationKind();
    String healer = question.healer().isEmpty() ? first : question.healer();
    Scenario scenario =
        FailureScenario.scenario(base.nodes(), spec, down, healer, question.heals());
    return Simulation.run(scenario, List.of(check), AssumedTemplates.of(check), question.until());
  }
}
