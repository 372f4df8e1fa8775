package io.probelet.document.expression;

import dev.cel.common.CelIssue;
import dev.cel.common.CelSourceLocation;
import io.probelet.document.expression.ExpressionType.ListOf;
import io.probelet.document.expression.ExpressionType.MapOf;
import io.probelet.document.expression.ExpressionType.ObjectOf;
import io.probelet.document.expression.ExpressionType.Scalar;
import io.probelet.document.field.Suggestion;
import io.probelet.health.ShortText;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is wrong with an expression, in words for its author. CEL's own words name rules of its
 * grammar and its internal names of operators.
 */
final class CelErrors {
  /** Messages quote the expression. */
  static final int LONGEST_MESSAGE = 300;

  private static final int LONGEST_NAME = 60;

  private static final List<String> FUNCTIONS =
      List.of(
          "has",
          "all",
          "exists",
          "exists_one",
          "map",
          "filter",
          "size",
          "contains",
          "startsWith",
          "endsWith",
          "matches",
          "duration",
          "string",
          "int",
          "double",
          "bool");

  /** How messages of the grammar begin; they list tokens that might follow, and no rule. */
  private static final List<String> OF_THE_GRAMMAR =
      List.of(
          "mismatched input",
          "extraneous input",
          "missing ",
          "no viable alternative",
          "token recognition error",
          "More than ");

  /** What authors write who know another language. */
  private static final Map<String, String> OTHER_OPERATORS =
      Map.of("=", "==", "&", "&&", "|", "||", "and", "&&", "or", "||");

  private static final Pattern OTHER_TYPE = Pattern.compile("\\b(int|double|string)\\b");

  /** A name, a number, or one other character. */
  private static final Pattern TOKEN = Pattern.compile("[\\p{L}\\p{N}_]+|.", Pattern.DOTALL);

  private final ExpressionVariables variables;
  private final Map<Pattern, Function<MatchResult, String>> wordings = new LinkedHashMap<>();

  /** Creates the errors of expressions over these variables. */
  CelErrors(ExpressionVariables variables) {
    this.variables = variables;
    say("undeclared reference to '(.*)' \\(in container ''\\)", this::unknownName);
    say("undefined field '(.*)'", this::unknownField);
    say(
        "found no matching overload for '(.*?)' applied to '(.*?)'( \\(candidates: (.*)\\))?",
        CelErrors::wrongTypes);
    say("expected type 'bool' but found '(.*)'", "must be true or false, but is of type %s");
    say("expected type '(.*)' but found '(.*)'", "must be of type %s, but is of type %s");
    say("type '(.*)' does not support field selection", "a value of type %s has no fields");
    say(
        "expression of type '(.*)' cannot be range of a comprehension.*",
        "all(), exists(), exists_one(), map() and filter() need a list or a map, not a value of"
            + " type %s");
    say(
        "expression does not select a field|invalid argument to has\\(\\) macro",
        "has() needs a field, as in has(json.state)");
    say(
        "The argument must be a simple name",
        "the first argument must be a new name for each item, as in names.exists(name, name =="
            + " 'a')");
    say("reserved identifier: (.*)", "'%s' is a reserved word");
    say(
        "Expression recursion limit exceeded. limit: (.*)",
        "is nested too deeply: at most %s levels are allowed");
  }

  private void say(String pattern, String rule) {
    say(
        pattern,
        found ->
            rule.formatted(
                (Object[])
                    Stream.iterate(1, i -> i <= found.groupCount(), i -> i + 1)
                        .map(i -> shown(found.group(i)))
                        .toArray(String[]::new)));
  }

  private void say(String pattern, Function<MatchResult, String> wording) {
    wordings.put(Pattern.compile(pattern, Pattern.DOTALL), wording);
  }

  /** {@return the error of an expression without any character but spaces} */
  ExpressionException empty() {
    return new ExpressionException(1, 1, "is empty; " + names());
  }

  /** {@return the error for an issue that the compiler found in a text} */
  ExpressionException of(CelIssue issue, String text) {
    CelSourceLocation at = issue.getSourceLocation();
    int line = Math.max(1, at.getLine());
    int column = Math.max(0, at.getColumn());
    String message = issue.getMessage();
    String rule =
        OF_THE_GRAMMAR.stream().anyMatch(message::startsWith)
            ? syntax(rest(text, line, column))
            : rule(message);
    return new ExpressionException(line, column + 1, rule);
  }

  /** {@return a message of the compiler in our words} */
  String rule(String found) {
    String message = found.replace("google.protobuf.Duration", "duration");
    for (Map.Entry<Pattern, Function<MatchResult, String>> each : wordings.entrySet()) {
      Matcher matcher = each.getKey().matcher(message);
      if (matcher.matches()) {
        return each.getValue().apply(matcher);
      }
    }
    return ShortText.of(message, LONGEST_MESSAGE);
  }

  private static String rest(String text, int line, int column) {
    List<String> lines = text.lines().toList();
    if (line > lines.size()) {
      return "";
    }
    return lines
        .get(line - 1)
        .codePoints()
        .skip(column)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static String syntax(String rest) {
    Matcher token = TOKEN.matcher(rest);
    if (rest.isBlank() || !token.lookingAt()) {
      return "ends where a value or a closing bracket is expected";
    }
    String found = token.group();
    if (found.equals("'") || found.equals("\"")) {
      return "a text begins here that has no closing quote in its line";
    }
    String meant = OTHER_OPERATORS.get(found);
    return "unexpected '%s'%s"
        .formatted(shown(found), meant == null ? "" : "; did you mean " + meant + "?");
  }

  private String unknownName(MatchResult found) {
    String name = shown(operator(found.group(1)));
    String question =
        Suggestion.question(
            name, Stream.concat(variables.names().stream(), FUNCTIONS.stream()).toList());
    return "unknown name '%s'%s %s".formatted(name, question.isEmpty() ? ";" : question, names());
  }

  private String names() {
    return "variables: %s; functions: %s"
        .formatted(String.join(", ", variables.names()), String.join(", ", FUNCTIONS));
  }

  private String unknownField(MatchResult found) {
    Map<String, ObjectOf> objects = new TreeMap<>();
    variables.types().values().forEach(type -> collect(type, objects));
    TreeSet<String> fields = new TreeSet<>();
    objects.values().forEach(object -> fields.addAll(object.fields().keySet()));
    String name = shown(found.group(1));
    String question = Suggestion.question(name, fields);
    return "unknown field '%s'%s %s"
        .formatted(
            name,
            question.isEmpty() ? ";" : question,
            String.join(
                "; ",
                objects.values().stream()
                    .map(object ->
                        "fields of %s: %s"
                            .formatted(object.name(), String.join(", ", object.fields().keySet())))
                    .toList()));
  }

  private static void collect(ExpressionType type, Map<String, ObjectOf> objects) {
    switch (type) {
      case ListOf list -> collect(list.item(), objects);
      case MapOf map -> collect(map.value(), objects);
      case ObjectOf object -> {
        objects.put(object.name(), object);
        object.fields().values().forEach(field -> collect(field, objects));
      }
      case Scalar _ -> {}
    }
  }

  private static String wrongTypes(MatchResult found) {
    String name = operator(found.group(1));
    String types = shown(found.group(2));
    String duration =
        types.contains("duration") && OTHER_TYPE.matcher(types).find()
            ? "; a duration is written as in duration('5m')"
            : "";
    if (name.equals("==") || name.equals("!=")) {
      return "%s needs two values of the same type, found %s%s".formatted(name, types, duration);
    }
    String takes = found.group(4);
    return "'%s' cannot be applied to %s%s%s"
        .formatted(
            shown(name),
            types,
            takes == null || !duration.isEmpty()
                ? ""
                : "; it takes " + ShortText.of(signatures(takes), LONGEST_MESSAGE),
            duration);
  }

  /** Without those of types that no expression has. */
  private static String signatures(String candidates) {
    return Stream.of(candidates.replaceAll("%[A-Z]\\d*", "any").split("(?<=\\)),", -1))
        .filter(each -> !each.contains("uint") && !each.contains("bytes"))
        .collect(Collectors.joining(" or "));
  }

  /** CEL names operators with a {@code _} for each operand. */
  private static String operator(String function) {
    if (function.equals("@in")) {
      return "in";
    }
    boolean named = function.chars().anyMatch(Character::isLetterOrDigit);
    return named ? function : function.replace("_", "");
  }

  private static String shown(String text) {
    return ShortText.of(text, LONGEST_NAME);
  }
}
