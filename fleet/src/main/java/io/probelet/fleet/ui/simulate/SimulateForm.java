package io.probelet.fleet.ui.simulate;

import io.probelet.health.GoDuration;
import io.probelet.web.page.Html;
import java.util.ArrayList;
import java.util.List;

/** What can be asked, with what was asked filled in. Its answer has an address to be sent on. */
final class SimulateForm {
  private static final int MAX_CHECKS = 200;

  private SimulateForm() {}

  static Html of(
      Question question,
      boolean hasTape,
      List<String> checks,
      String check,
      List<String> steps,
      List<String> choices) {
    Html form = new Html().open("form", "class", "filter", "action", "simulate", "method", "get");
    select(form, "NodeHealthCheck", "check", checks.stream().limit(MAX_CHECKS).toList(), check);
    if (hasTape) {
      played(form, question);
    }
    form.open("label").text("Goes down now (node, or label=value)");
    form.empty(
        "input",
        "name",
        "down",
        "list",
        "down-choices",
        "value",
        question.down(),
        "autocomplete",
        "off",
        "placeholder",
        "topology.kubernetes.io/rack=rack-2");
    form.close("label").open("datalist", "id", "down-choices");
    choices.forEach(choice -> form.empty("option", "value", choice));
    form.close("datalist");
    input(form, "minHealthy instead", "minHealthy", question.minHealthy(), "as it is");
    input(form, "duration instead", "duration", question.duration(), "as it is");
    if (steps.size() > 1) {
      input(form, "order of steps: " + numbered(steps), "order", question.order(), "1, 2");
    }
    List<String> healers = new ArrayList<>(steps.stream().distinct().toList());
    healers.add(Question.NOTHING);
    String healer = question.healer().isEmpty() ? healers.getFirst() : question.healer();
    select(form, "Remediation that heals a node (- for none)", "healer", healers, healer);
    input(form, "after", "heals", GoDuration.format(question.heals()), "");
    input(form, "duration, at most 6h", "until", GoDuration.format(question.until()), "");
    return form.element("button", "Play", "type", "submit").close("form");
  }

  /** The tape by default: it was given to be played. */
  private static void played(Html form, Question question) {
    boolean now =
        question.play().equals(Question.NOW)
            || (question.play().isEmpty() && !question.down().isEmpty());
    form.open("label").text("What is played").open("select", "name", "play");
    form.option(Question.NOW, "what goes down now", now);
    form.option(Question.TAPE, "the tape", !now);
    form.close("select").close("label");
  }

  private static String numbered(List<String> steps) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < steps.size(); i++) {
      text.append(i == 0 ? "" : ", ").append(i + 1).append(' ').append(steps.get(i));
    }
    return text.toString();
  }

  private static void input(
      Html form, String label, String name, String value, String placeholder) {
    form.open("label")
        .text(label)
        .empty("input", "name", name, "value", value, "placeholder", placeholder)
        .close("label");
  }

  private static void select(
      Html form, String label, String name, List<String> options, String chosen) {
    form.open("label").text(label).open("select", "name", name);
    for (String option : options) {
      form.option(option, option, option.equals(chosen));
    }
    form.close("select").close("label");
  }
}
