package io.probelet.document.expression;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelSource;
import dev.cel.common.CelSourceLocation;
import dev.cel.common.ast.CelConstant;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.CelCall;
import dev.cel.common.ast.CelExpr.CelComprehension;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import io.probelet.health.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules that a type-checked expression has to comply with beyond CEL's, and what each of its
 * nodes costs. Patterns, texts to search for and durations are literals: only so their cost is
 * known before they meet a text, their errors before a probe runs, and the ages at which a result
 * changes.
 */
final class CelRules {
  /** Most characters of a pattern. */
  private static final int MAX_PATTERN = 256;

  /** Characters times counts: bounds what compiling costs before the program can be measured. */
  private static final long MAX_UNROLLED = 10_000;

  /** Most instructions of a compiled pattern. */
  private static final int MAX_PROGRAM = 1_000;

  private static final Pattern COUNTED = Pattern.compile("\\{([0-9]{1,4})(?:,([0-9]{0,4}))?\\}");

  /** Their operands are looked at, not read through. */
  private static final Set<String> CONSTANT_TIME =
      Set.of("_&&_", "_||_", "!_", "_?_:_", "_[_]", "@not_strictly_false");

  private final ExpressionVariables variables;
  private final SortedSet<Duration> durations;
  private final List<Key> keys;

  /** By the id of an operand: what its function does for each character or item of it. */
  private final int[] perCharacter;

  /** By the id of a node that selects fields of another: how many. */
  private final int[] selections;

  private CelRules(ExpressionVariables variables, Check check) {
    this.variables = variables;
    durations = Collections.unmodifiableSortedSet(check.durations);
    keys = List.copyOf(check.keys);
    perCharacter = byId(check.perCharacter);
    selections = byId(check.selections);
  }

  /** An expression is kept as long as its probe, so in little memory. */
  private static int[] byId(Map<Long, Integer> values) {
    int[] array = new int[values.keySet().stream().mapToInt(Long::intValue).max().orElse(-1) + 1];
    values.forEach((id, value) -> array[id.intValue()] = value);
    return array;
  }

  static CelRules check(CelAbstractSyntaxTree tree, ExpressionVariables variables)
      throws ExpressionException {
    Check check = new Check(tree.getSource());
    check.visit(tree.getExpr());
    return new CelRules(variables, check);
  }

  ExpressionVariables variables() {
    return variables;
  }

  /** {@return the durations that it names} */
  SortedSet<Duration> durations() {
    return durations;
  }

  /** A key of a variable, as in {@code conditions["Ready"]}, and where the expression names it. */
  record Key(String variable, String name, int line, int column) {}

  /** {@return the keys of variables that it names, in its order} */
  List<Key> keys() {
    return keys;
  }

  /** {@return what a function does for each character or item of this operand, 0 for nothing} */
  int perCharacter(long id) {
    return id < perCharacter.length ? perCharacter[(int) id] : 0;
  }

  /** {@return how many fields this node selects one of another} */
  int selections(long id) {
    return id < selections.length ? selections[(int) id] : 0;
  }

  /** Goes through an expression once. */
  private static final class Check {
    private final CelSource source;
    private final Map<Long, Integer> perCharacter = new HashMap<>();
    private final Map<Long, Integer> selections = new HashMap<>();
    private final SortedSet<Duration> durations = new TreeSet<>();
    private final List<Key> keys = new ArrayList<>();

    Check(CelSource source) {
      this.source = source;
    }

    private void visit(CelExpr node) throws ExpressionException {
      switch (node.getKind()) {
        case CALL -> call(node);
        case SELECT -> {
          selections.put(node.id(), chain(node));
          key(node.select().operand(), node.select().field(), node);
        }
        case STRUCT -> throw at(node, "must not create objects");
        case CONSTANT, IDENT, LIST, MAP, COMPREHENSION, NOT_SET -> {}
      }
      for (CelExpr child : children(node).toList()) {
        visit(child);
      }
    }

    private static int chain(CelExpr node) {
      return node.getKind() == Kind.SELECT ? 1 + chain(node.select().operand()) : 0;
    }

    private static Stream<CelExpr> children(CelExpr node) {
      return switch (node.getKind()) {
        case CALL -> Stream.concat(node.call().target().stream(), node.call().args().stream());
        case SELECT -> Stream.of(node.select().operand());
        case LIST -> node.list().elements().stream();
        case MAP ->
            node.map().entries().stream().flatMap(entry -> Stream.of(entry.key(), entry.value()));
        case COMPREHENSION -> {
          CelComprehension loop = node.comprehension();
          yield Stream.of(
              loop.iterRange(),
              loop.accuInit(),
              loop.loopCondition(),
              loop.loopStep(),
              loop.result());
        }
        case CONSTANT, IDENT, STRUCT, NOT_SET -> Stream.empty();
      };
    }

    private void key(CelExpr map, String name, CelExpr at) {
      if (map.getKind() == Kind.IDENT) {
        CelSourceLocation place = place(at);
        keys.add(new Key(map.ident().name(), name, place.getLine(), place.getColumn() + 1));
      }
    }

    private void call(CelExpr node) throws ExpressionException {
      CelCall call = node.call();
      switch (call.function()) {
        case "_[_]" ->
            text(call.args().getLast()).ifPresent(name -> key(call.args().getFirst(), name, node));
        case "@in" ->
            text(call.args().getFirst()).ifPresent(name -> key(call.args().getLast(), name, node));
        default -> {}
      }
      if (CONSTANT_TIME.contains(call.function())) {
        return;
      }
      int each =
          switch (call.function()) {
            case "matches" -> pattern(argument(call), node);
            case "contains" -> 1 + literal(argument(call), node).length() / 8;
            case "_+_" -> 10; // copies, and keeps the copy
            case "_==_", "_!=_", "@in" -> 20; // compares values of any types
            default -> 1;
          };
      if (call.function().equals("duration")) {
        duration(argument(call), node);
      }
      children(node).forEach(operand -> perCharacter.put(operand.id(), each));
    }

    private static CelExpr argument(CelCall call) {
      return call.args().getLast();
    }

    private String literal(CelExpr argument, CelExpr call) throws ExpressionException {
      return text(argument)
          .orElseThrow(() ->
              at(argument, "must be a literal, as %s() needs".formatted(call.call().function())));
    }

    private static Optional<String> text(CelExpr node) {
      return node.getKind() == Kind.CONSTANT
              && node.constant().getKind() == CelConstant.Kind.STRING_VALUE
          ? Optional.of(node.constant().stringValue())
          : Optional.empty();
    }

    private void duration(CelExpr argument, CelExpr call) throws ExpressionException {
      try {
        durations.add(GoDuration.parse(literal(argument, call)));
      } catch (IllegalArgumentException malformed) {
        throw at(argument, String.valueOf(malformed.getMessage()));
      }
    }

    /** {@return how many instructions a pattern has} */
    private int pattern(CelExpr argument, CelExpr call) throws ExpressionException {
      String pattern = literal(argument, call);
      if (pattern.length() > MAX_PATTERN || unrolled(pattern) > MAX_UNROLLED) {
        throw at(
            argument,
            "must be a smaller pattern: at most %d characters, and %,d times its repetition counts"
                .formatted(MAX_PATTERN, MAX_UNROLLED));
      }
      int size;
      try {
        size = Pattern.compile(pattern).programSize();
      } catch (PatternSyntaxException malformed) {
        throw at(argument, "must be an RE2 regular expression: " + malformed.getMessage());
      }
      if (size > MAX_PROGRAM) {
        throw at(
            argument,
            "must be a smaller pattern: it compiles to %,d instructions, at most %,d are allowed"
                .formatted(size, MAX_PROGRAM));
      }
      return size;
    }

    private static long unrolled(String pattern) {
      long size = pattern.length();
      com.google.re2j.Matcher counted = COUNTED.matcher(pattern);
      while (counted.find() && size <= MAX_UNROLLED) {
        size *= Math.max(1, Math.max(count(counted.group(1)), count(counted.group(2))));
      }
      return size;
    }

    private static long count(@Nullable String digits) {
      return digits == null || digits.isEmpty() ? 1 : Long.parseLong(digits);
    }

    private CelSourceLocation place(CelExpr node) {
      int offset = source.getPositionsMap().getOrDefault(node.id(), 0);
      return source.getOffsetLocation(offset).orElseGet(() -> CelSourceLocation.of(1, 0));
    }

    private ExpressionException at(CelExpr node, String rule) {
      CelSourceLocation place = place(node);
      return new ExpressionException(place.getLine(), place.getColumn() + 1, rule);
    }
  }
}
