package io.probelet.manifest.annotation;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.annotation.Totals.Amount;
import io.probelet.probe.BodyPattern;
import io.probelet.probe.HttpExpectation.BodyRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the rules for the body of an HTTP response. */
final class BodyRuleReader {
  private static final java.util.regex.Pattern BAD_ESCAPE =
      java.util.regex.Pattern.compile("~(?![01])");

  private static final int LONGEST_POINTER = 256;

  /** Each level is an object in memory, and a step for every response. */
  private static final int DEEPEST = 16;

  private BodyRuleReader() {}

  static List<BodyRule> read(Field field, Totals totals) {
    Fields body = field.object();
    if (body == null) {
      return List.of();
    }
    List<BodyRule> rules = texts(body, totals);
    for (Field equality : body.field("json").items()) {
      totals.take(equality, Amount.BODY_RULES, 1);
      jsonEquals(equality, totals).ifPresent(rules::add);
    }
    int errors = body.errors();
    body.rejectUnknown(Set.of());
    if (rules.isEmpty() && body.errors() == errors && body.names().isEmpty()) {
      field.required("must specify contains, notContains, matches or json");
    }
    return rules;
  }

  /** Reads the rules that any text can have. */
  static List<BodyRule> texts(Fields owner, Totals totals) {
    List<BodyRule> rules = new ArrayList<>();
    for (Field text : oneOrMore(owner.field("contains"))) {
      totals.take(text, Amount.BODY_RULES, 1);
      text(text).map(BodyRule.Contains::new).ifPresent(rules::add);
    }
    for (Field text : oneOrMore(owner.field("notContains"))) {
      totals.take(text, Amount.BODY_RULES, 1);
      text(text).map(BodyRule.NotContains::new).ifPresent(rules::add);
    }
    for (Field pattern : oneOrMore(owner.field("matches"))) {
      totals.take(pattern, Amount.BODY_RULES, 1);
      totals.take(pattern, Amount.PATTERNS, 1);
      matches(pattern, totals).ifPresent(rules::add);
    }
    return rules;
  }

  private static List<Field> oneOrMore(Field field) {
    if (!field.isPresent()) {
      return List.of();
    }
    return field.isList() ? field.items() : List.of(field);
  }

  private static Optional<String> text(Field field) {
    String text = field.text("");
    if (text.isEmpty()) {
      field.required("the text to search for");
      return Optional.empty();
    }
    return Optional.of(text);
  }

  static Optional<BodyRule> matches(Field field, Totals totals) {
    String text = field.text("");
    if (text.isEmpty()) {
      field.required("the regular expression to search for");
      return Optional.empty();
    }
    if (!totals.mayMeasure(field)) {
      return Optional.empty();
    }
    try {
      return Optional.of(new BodyRule.Matches(BodyPattern.of(text)));
    } catch (IllegalArgumentException unfit) {
      field.invalid(String.valueOf(unfit.getMessage()));
      return Optional.empty();
    }
  }

  private static Optional<BodyRule> jsonEquals(Field field, Totals totals) {
    Fields rule = field.object();
    if (rule == null) {
      return Optional.empty();
    }
    Field pointerField = rule.field("pointer");
    Optional<JsonPointer> pointer = pointer(pointerField, totals);
    Field equals = rule.field("equals");
    totals.take(equals, Amount.JSON_VALUES, JsonValue.size(equals.value()));
    Optional<JsonNode> expected = JsonValue.of(equals);
    rule.rejectUnknown(Set.of());
    return pointer.flatMap(at -> expected.map(value -> new BodyRule.JsonEquals(at, value)));
  }

  private static Optional<JsonPointer> pointer(Field field, Totals totals) {
    if (!field.isPresent()) {
      field.required("a JSON pointer such as /status, or \"\" for the whole body");
      return Optional.empty();
    }
    String text = field.text();
    if (text == null) {
      return Optional.empty();
    }
    int levels = (int) text.chars().filter(c -> c == '/').count();
    totals.take(field, Amount.POINTER_LEVELS, levels);
    if (text.length() > LONGEST_POINTER || levels > DEEPEST) {
      field.invalid(
          "must have at most %d characters and %d levels".formatted(LONGEST_POINTER, DEEPEST));
      return Optional.empty();
    }
    boolean valid = text.isEmpty() || text.startsWith("/");
    if (!valid || BAD_ESCAPE.matcher(text).find()) {
      field.invalid("must be a JSON pointer such as /status or /checks/0/state");
      return Optional.empty();
    }
    return Optional.of(JsonPointer.compile(text));
  }
}
