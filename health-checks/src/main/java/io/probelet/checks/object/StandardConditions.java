package io.probelet.checks.object;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.checks.result.CheckResult;
import io.probelet.health.ShortText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Checks an object of a kind without a rule by what such objects commonly report: the generation
 * their controller has seen, conditions by the polarity of their type, phases, counts and flags.
 * One that reports nothing of that is not called healthy (CH-41).
 */
final class StandardConditions {
  /** How long something may be under way that does not say for how long it is. */
  static final Duration PATIENCE = Duration.ofMinutes(10);

  /** The phase is whatever its author likes. */
  private static final int LONGEST_PHASE = 100;

  /** Lists in the status whose entries have conditions of their own, as the Gateway API has. */
  private static final List<String> PARTS = List.of("parents", "listeners", "ancestors");

  private static final List<String> FLAGS = List.of("ready", "healthy", "available");
  private static final List<String> FAILURES = List.of("failureReason", "failureMessage");

  private final JsonNode object;
  private final JsonNode status;
  private final List<ObservedCondition> conditions;
  private final List<ReportedPhase> phases;

  private StandardConditions(JsonNode object) {
    this.object = object;
    this.status = object.path("status");
    this.conditions = conditions(object);
    this.phases = ReportedPhase.in(object);
  }

  static CheckResult check(HasMetadata object) {
    return new StandardConditions(AnyResource.tree(object)).result();
  }

  /** {@return what the check rests on, in words} */
  static String basis(HasMetadata object) {
    List<String> said = new StandardConditions(AnyResource.tree(object)).said();
    return said.isEmpty() ? "nothing: the object reports no health" : String.join(", ", said);
  }

  private CheckResult result() {
    Optional<String> wrong =
        outdated()
            .or(this::failure)
            .or(() -> firstCondition(this::isBad, "False"))
            .or(() -> firstCondition(this::isStuck, "True"))
            .or(this::badPhase)
            .or(() -> firstCondition(this::isMissed, "True"))
            .or(this::falseFlag)
            .or(this::tooFew);
    if (wrong.isPresent()) {
      return CheckResult.unhealthy(wrong.get());
    }
    Optional<String> changing = changing();
    if (changing.isPresent()) {
      return CheckResult.progressing(changing.get(), PATIENCE);
    }
    Optional<ReportedPhase> unknown = firstPhase(ReportedPhase.Meaning.UNKNOWN);
    if (unknown.isPresent()) {
      return CheckResult.notExecuted(text(unknown.get()));
    }
    return isSaidToBeWell() ? CheckResult.healthy() : CheckResult.noOpinion("reports no health");
  }

  private Optional<String> outdated() {
    if (status.path("observedGeneration").isNumber()) {
      return KindRule.observed().problem(object);
    }
    long wanted = object.at("/metadata/generation").asLong();
    for (JsonNode condition : status.path("conditions")) {
      if (Polarity.isSummary(condition.path("type").asText())
          && condition.path("observedGeneration").isNumber()) {
        Optional<String> outdated =
            Findings.outdated(condition.path("observedGeneration").asLong(), wanted);
        if (outdated.isPresent()) {
          return outdated;
        }
      }
    }
    return Optional.empty();
  }

  private Optional<String> failure() {
    return FAILURES.stream()
        .filter(field -> !status.path(field).asText().isBlank())
        .findFirst()
        .map(field -> "status." + field + " is \"" + status.path(field).asText() + "\"");
  }

  private boolean isBad(ObservedCondition condition) {
    return isTrue(condition) && Polarity.of(orEmpty(condition.type())) == Polarity.BAD;
  }

  /** As Deployments say it; elsewhere Progressing False may mean that all is done. */
  private boolean isStuck(ObservedCondition condition) {
    return "Progressing".equals(condition.type())
        && "False".equals(condition.status())
        && "ProgressDeadlineExceeded".equals(condition.reason());
  }

  /** One of a part counts only where none sums up all parts. */
  private boolean isMissed(ObservedCondition condition) {
    String type = orEmpty(condition.type());
    return "False".equals(condition.status())
        && Polarity.of(type) == Polarity.GOOD
        && !(Polarity.isOfPart(type) && hasSummary());
  }

  private boolean hasSummary() {
    return conditions.stream().anyMatch(each -> Polarity.isSummary(orEmpty(each.type())));
  }

  private Optional<String> firstCondition(Predicate<ObservedCondition> which, String expected) {
    return conditions.stream()
        .filter(which)
        .findFirst()
        .map(condition ->
            ConditionExpectation.required(orEmpty(condition.type()), expected).notMetBy(condition));
  }

  private Optional<String> badPhase() {
    return firstPhase(ReportedPhase.Meaning.BAD).map(StandardConditions::text);
  }

  private Optional<String> falseFlag() {
    return FLAGS.stream()
        .filter(flag -> status.path(flag).isBoolean() && !status.path(flag).asBoolean())
        .findFirst()
        .map(flag -> "status." + flag + " is false");
  }

  private Optional<String> tooFew() {
    return status.path("readyReplicas").isNumber() && object.at("/spec/replicas").isNumber()
        ? KindRule.enough("/status/readyReplicas", "ready").problem(object)
        : Optional.empty();
  }

  private Optional<String> changing() {
    if (object.at("/metadata").hasNonNull("deletionTimestamp")) {
      return Optional.of("it is being deleted");
    }
    return conditions.stream()
        .filter(StandardConditions::isChanging)
        .findFirst()
        .map(condition -> condition.type() + " is " + condition.status() + why(condition))
        .or(() -> firstPhase(ReportedPhase.Meaning.CHANGING).map(StandardConditions::text));
  }

  private static boolean isChanging(ObservedCondition condition) {
    String type = orEmpty(condition.type());
    return isTrue(condition)
        ? Polarity.of(type) == Polarity.CHANGING
        : "Unknown".equals(condition.status())
            && Polarity.of(type) == Polarity.GOOD
            && !Polarity.isOfPart(type);
  }

  private boolean isSaidToBeWell() {
    return conditions.stream().anyMatch(StandardConditions::isGood)
        || firstPhase(ReportedPhase.Meaning.GOOD).isPresent()
        || FLAGS.stream().anyMatch(flag -> status.path(flag).isBoolean())
        || (status.path("readyReplicas").isNumber() && object.at("/spec/replicas").isNumber());
  }

  private static boolean isGood(ObservedCondition condition) {
    Polarity polarity = Polarity.of(orEmpty(condition.type()));
    return isTrue(condition)
        ? polarity == Polarity.GOOD
        : "False".equals(condition.status()) && polarity == Polarity.BAD;
  }

  private List<String> said() {
    List<String> said = new ArrayList<>();
    if (status.path("observedGeneration").isNumber()) {
      said.add("observedGeneration");
    }
    conditions.stream()
        .filter(condition -> Polarity.of(orEmpty(condition.type())) != Polarity.UNKNOWN)
        .forEach(condition -> said.add("condition " + condition.type()));
    phases.stream()
        .filter(phase -> phase.meaning() != ReportedPhase.Meaning.UNCLEAR)
        .forEach(phase -> said.add(phase.field()));
    FLAGS.stream()
        .filter(flag -> status.path(flag).isBoolean())
        .forEach(flag -> said.add("status." + flag));
    if (status.path("readyReplicas").isNumber() && object.at("/spec/replicas").isNumber()) {
      said.add("status.readyReplicas");
    }
    FAILURES.stream()
        .filter(field -> !status.path(field).asText().isBlank())
        .forEach(field -> said.add("status." + field));
    return said.stream().distinct().toList();
  }

  private Optional<ReportedPhase> firstPhase(ReportedPhase.Meaning meaning) {
    return phases.stream().filter(phase -> phase.meaning() == meaning).findFirst();
  }

  private static String text(ReportedPhase phase) {
    return phase.field() + " is \"" + ShortText.of(phase.text(), LONGEST_PHASE) + "\"";
  }

  private static String why(ObservedCondition condition) {
    return Findings.why(orEmpty(condition.reason()), orEmpty(condition.message()));
  }

  private static List<ObservedCondition> conditions(JsonNode object) {
    return Stream.concat(
            AnyResource.observedConditions(object).stream(),
            PARTS.stream()
                .flatMap(
                    part -> StreamSupport.stream(object.at("/status/" + part).spliterator(), false))
                .flatMap(entry -> AnyResource.conditionsIn(entry.path("conditions")).stream()))
        .toList();
  }

  private static boolean isTrue(ObservedCondition condition) {
    return "True".equals(condition.status());
  }

  private static String orEmpty(@Nullable String text) {
    return text == null ? "" : text;
  }
}
