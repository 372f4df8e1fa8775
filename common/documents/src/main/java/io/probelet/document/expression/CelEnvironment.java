package io.probelet.document.expression;

import com.google.common.collect.ImmutableCollection;
import com.google.common.collect.ImmutableMap;
import dev.cel.checker.CelStandardDeclarations;
import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.CelErrorCode;
import dev.cel.common.CelFunctionDecl;
import dev.cel.common.CelOptions;
import dev.cel.common.CelOverloadDecl;
import dev.cel.common.CelValidationException;
import dev.cel.common.CelValidationResult;
import dev.cel.common.types.CelType;
import dev.cel.common.types.CelTypeProvider;
import dev.cel.common.types.ListType;
import dev.cel.common.types.MapType;
import dev.cel.common.types.SimpleType;
import dev.cel.common.types.StructType;
import dev.cel.compiler.CelCompiler;
import dev.cel.compiler.CelCompilerBuilder;
import dev.cel.compiler.CelCompilerFactory;
import dev.cel.parser.CelStandardMacro;
import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelFunctionBinding;
import dev.cel.runtime.CelRuntime;
import dev.cel.runtime.CelRuntimeFactory;
import dev.cel.runtime.CelStandardFunctions;
import io.probelet.document.expression.ExpressionType.ListOf;
import io.probelet.document.expression.ExpressionType.MapOf;
import io.probelet.document.expression.ExpressionType.ObjectOf;
import io.probelet.document.expression.ExpressionType.Scalar;
import io.probelet.health.GoDuration;
import io.probelet.health.ShortText;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** CEL's compiler and runtime, reduced to what expressions need, for a set of variables. */
final class CelEnvironment {
  /** Points in time would ask for a clock; the rest nobody needs. */
  private static final Set<String> LEFT_OUT =
      Set.of("TIMESTAMP", "DURATION", "BYTES", "UINT", "TYPE", "DYN");

  private static final Set<String> COMPUTED_DURATIONS =
      Set.of("add_duration_duration", "subtract_duration_duration", "duration_to_string");

  private static final CelOptions OPTIONS =
      CelOptions.current()
          .maxExpressionCodePointSize(CompiledExpression.MAX_CHARS)
          .maxParseRecursionDepth(CompiledExpression.MAX_DEPTH)
          .maxParseErrorRecoveryLimit(0)
          .comprehensionMaxIterations(ExpressionCost.MAX_ITERATIONS)
          .enableHeterogeneousNumericComparisons(true)
          .build();

  private final ExpressionVariables variables;
  private final CelCompiler compiler;
  private final CelRuntime runtime;

  CelEnvironment(ExpressionVariables variables) {
    this.variables = variables;
    Map<String, CelType> objects = new HashMap<>();
    Map<String, CelType> types = new HashMap<>();
    variables.types().forEach((name, type) -> types.put(name, type(type, objects)));
    CelCompilerBuilder builder =
        CelCompilerFactory.standardCelCompilerBuilder()
            .setOptions(OPTIONS)
            .setStandardEnvironmentEnabled(false)
            .setStandardDeclarations(
                CelStandardDeclarations.newBuilder()
                    .filterFunctions((function, overload) ->
                        isUsed(function.name(), overload.celOverloadDecl().overloadId()))
                    .build())
            .setStandardMacros(CelStandardMacro.STANDARD_MACROS)
            .setTypeProvider(new ObjectTypes(objects))
            .setResultType(SimpleType.BOOL)
            .addFunctionDeclarations(
                CelFunctionDecl.newFunctionDeclaration(
                    "duration",
                    CelOverloadDecl.newGlobalOverload(
                        "go_duration", SimpleType.DURATION, SimpleType.STRING)));
    types.forEach(builder::addVar);
    compiler = builder.build();
    runtime =
        CelRuntimeFactory.plannerRuntimeBuilder()
            .setOptions(OPTIONS)
            .setStandardFunctions(
                CelStandardFunctions.newBuilder()
                    .filterFunctions((function, _) -> isUsed(function.name(), ""))
                    .build())
            .addFunctionBindings(
                CelFunctionBinding.fromOverloads(
                    "duration",
                    CelFunctionBinding.from("go_duration", String.class, GoDuration::parse)))
            .build();
  }

  /** Durations are only compared, so that a result changes at no other age than those written. */
  private static boolean isUsed(String function, String overload) {
    return !LEFT_OUT.contains(function)
        && !function.startsWith("GET_")
        && !function.startsWith("OLD_")
        && !overload.contains("timestamp")
        && !COMPUTED_DURATIONS.contains(overload);
  }

  /** Made for an error alone: most expressions have none, and its patterns take time. */
  private CelErrors errors() {
    return new CelErrors(variables);
  }

  CelProgram compile(String text) throws ExpressionException {
    if (text.isBlank()) {
      throw errors().empty();
    }
    CelValidationResult result = compiler.compile(text);
    if (result.hasError()) {
      throw errors().of(result.getErrors().getFirst(), text);
    }
    try {
      CelAbstractSyntaxTree tree = result.getAst();
      CelRules rules = CelRules.check(tree, variables);
      return new CelProgram(runtime.createProgram(tree), rules);
    } catch (CelValidationException | CelEvaluationException unexpected) {
      throw new ExpressionException(1, 1, errors().rule(String.valueOf(unexpected.getMessage())));
    }
  }

  /**
   * {@return why an evaluation failed, without the values it read unless it names a missing key}
   */
  static String reason(CelEvaluationException failed) {
    CelErrorCode code = failed.getErrorCode();
    return switch (code) {
      case ATTRIBUTE_NOT_FOUND ->
          "a field or key is missing: "
              + ShortText.of(String.valueOf(failed.getMessage()), CelErrors.LONGEST_MESSAGE);
      case INDEX_OUT_OF_BOUNDS -> "an index is outside its list";
      case DIVIDE_BY_ZERO -> "divides by zero";
      case NUMERIC_OVERFLOW -> "a number is out of range";
      case OVERLOAD_NOT_FOUND -> "a value has another type than its operator or function takes";
      case BAD_FORMAT -> "a text cannot be converted";
      case ITERATION_BUDGET_EXCEEDED ->
          "exceeds the limit of %,d iterations".formatted(ExpressionCost.MAX_ITERATIONS);
      case DUPLICATE_ATTRIBUTE,
          INVALID_ARGUMENT,
          AMBIGUOUS_OVERLOAD,
          TYPE_NOT_FOUND,
          INTERNAL_ERROR ->
          "a value does not fit";
    };
  }

  /** {@return the type, having added the objects in it} */
  private static CelType type(ExpressionType type, Map<String, CelType> objects) {
    return switch (type) {
      case Scalar scalar ->
          switch (scalar) {
            case BOOL -> SimpleType.BOOL;
            case INT -> SimpleType.INT;
            case STRING -> SimpleType.STRING;
            case DURATION -> SimpleType.DURATION;
            case ANY -> SimpleType.DYN;
          };
      case ListOf list -> ListType.create(type(list.item(), objects));
      case MapOf map -> MapType.create(SimpleType.STRING, type(map.value(), objects));
      case ObjectOf object -> {
        ImmutableMap.Builder<String, CelType> builder = ImmutableMap.builder();
        object.fields().forEach((name, field) -> builder.put(name, type(field, objects)));
        ImmutableMap<String, CelType> fields = builder.buildOrThrow();
        // No name of an expression, so that one misspelled as a type is not taken for the type.
        String typeName = "object(" + object.name() + ")";
        CelType known =
            StructType.create(
                typeName, fields.keySet(), name -> Optional.ofNullable(fields.get(name)));
        objects.put(typeName, known);
        yield known;
      }
    };
  }

  /** Objects with known fields, as CEL's structures. */
  private static final class ObjectTypes implements CelTypeProvider {
    private final ImmutableMap<String, CelType> known;

    ObjectTypes(Map<String, CelType> known) {
      this.known = ImmutableMap.copyOf(known);
    }

    @Override
    public ImmutableCollection<CelType> types() {
      return known.values();
    }

    @Override
    public Optional<CelType> findType(String name) {
      return Optional.ofNullable(known.get(name));
    }
  }
}
