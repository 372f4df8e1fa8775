package io.probelet.cluster.care;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.probelet.checks.error.ErrorCode;
import io.probelet.checks.error.ErrorCodeClassifier;
import io.probelet.checks.result.CheckResult;
import io.probelet.checks.result.CheckResult.Healthy;
import io.probelet.checks.result.CheckResult.NoOpinion;
import io.probelet.checks.result.CheckResult.NotExecuted;
import io.probelet.checks.result.CheckResult.Progressing;
import io.probelet.checks.result.CheckResult.Unhealthy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Sums up the findings on the components of one condition type, in display order. */
final class ComponentReview {
  private static final int MAX_NAMED = 5;

  private final List<String> errors = new ArrayList<>();
  private final Group failed = new Group();
  private final Group rolling = new Group();
  private int seen;
  private @Nullable Duration limit;

  /** Findings of the same class; the first determines the reason. */
  private static final class Group {
    private final List<String> messages = new ArrayList<>();
    private final Set<String> codes = new LinkedHashSet<>();
    private String reason = "";
    private int size;

    void add(String because, String message, List<ErrorCode> found) {
      if (size == 0) {
        reason = because;
      }
      size++;
      if (messages.size() < MAX_NAMED) {
        messages.add(message);
      }
      found.forEach(code -> codes.add(code.name()));
    }

    boolean isEmpty() {
      return size == 0;
    }

    String message() {
      return all(messages, size);
    }
  }

  /** The first ones are named, the others only counted. */
  private static String all(List<String> first, int size) {
    String named = first.stream().map(ComponentReview::unended).collect(Collectors.joining("; "));
    return size > MAX_NAMED
        ? named + "; and " + (size - MAX_NAMED) + " more."
        : Sentence.ended(named);
  }

  private static String unended(String text) {
    String ended = Sentence.ended(text);
    return ended.substring(0, ended.length() - 1);
  }

  /** Adds the finding on an object. */
  void add(HasMetadata object, CheckResult result) {
    String name = name(object);
    add(object.getKind(), object.getKind() + " \"" + name + "\"", result);
  }

  /** Adds the finding on an object that is not available as a value. */
  void add(ObjectVerdict object, CheckResult result) {
    if (result instanceof Healthy) {
      seen++;
      return;
    }
    String name =
        object.namespace() == null ? object.name() : object.namespace() + "/" + object.name();
    add(object.kind(), object.kind() + " \"" + name + "\"", result);
  }

  /** Adds the result of a named check. */
  void add(String check, CheckResult result) {
    add("Check", "Check \"" + check + "\"", result);
  }

  private void add(String kind, String subject, CheckResult result) {
    seen++;
    switch (result) {
      case Healthy() -> {}
      case Unhealthy(String detail, List<ErrorCode> codes) ->
          failed.add(
              kind + "Unhealthy",
              subject + " is unhealthy: " + detail,
              codes.isEmpty() ? ErrorCodeClassifier.DEFAULTS.classify(detail) : codes);
      case Progressing(String detail, List<ErrorCode> codes, Duration threshold) -> {
        rolling.add(kind + "Progressing", subject + " is progressing: " + detail, codes);
        if (threshold != null && (limit == null || threshold.compareTo(limit) < 0)) {
          limit = threshold;
        }
      }
      case NoOpinion(String detail) -> unreadable(subject + ": " + detail);
      case NotExecuted(String detail) -> unreadable(subject + " could not be checked: " + detail);
    }
  }

  /** Records that a required component is missing. */
  void missing(String kinds, String name) {
    failed.add("ComponentMissing", "Required " + kinds + " \"" + name + "\" is missing", List.of());
  }

  /** Records that fewer objects exist than required (CH-46). */
  void tooFew(String kinds, int found, int minimum) {
    failed.add(
        "ComponentMissing", "Not enough %s (%d/%d)".formatted(kinds, found, minimum), List.of());
  }

  /** Records that something could not be read. */
  void unreadable(String error) {
    errors.add(error);
  }

  /** {@return the overall finding; a failure outranks an object that could not be read} */
  ConditionFinding finding() {
    if (!failed.isEmpty()) {
      return new ConditionFinding.Unhealthy(
          failed.reason, failed.message(), List.copyOf(failed.codes));
    }
    if (!errors.isEmpty()) {
      return new ConditionFinding.Unknown(
          all(errors.subList(0, Math.min(MAX_NAMED, errors.size())), errors.size()));
    }
    if (!rolling.isEmpty()) {
      return new ConditionFinding.Progressing(
          rolling.reason,
          rolling.message(),
          List.copyOf(rolling.codes),
          limit == null ? Duration.ZERO : limit);
    }
    return switch (seen) {
      case 0 -> // CH-46: shows a misspelled label
          new ConditionFinding.Healthy(
              "NoComponents", "Nothing was checked: no component matches.");
      case 1 -> new ConditionFinding.Healthy("ComponentsHealthy", "1 component is healthy.");
      default ->
          new ConditionFinding.Healthy(
              "ComponentsHealthy", "All " + seen + " components are healthy.");
    };
  }

  static String name(HasMetadata object) {
    String namespace = object.getMetadata().getNamespace();
    String name = object.getMetadata().getName();
    return namespace == null ? name : namespace + "/" + name;
  }
}
