package io.probelet.document.expression;

import dev.cel.runtime.CelEvaluationException;
import dev.cel.runtime.CelRuntime.Program;
import io.probelet.document.expression.ExpressionResult.Decided;
import io.probelet.document.expression.ExpressionResult.Undecided;
import java.util.Map;

/**
 * A compiled expression as CEL's library runs it. Apart from {@link CompiledExpression}, because
 * that is loaded where there is no expression, and the JVM would load the library to verify this.
 *
 * @param program ready to run
 * @param rules which it complies with
 */
record CelProgram(Program program, CelRules rules) {
  ExpressionResult evaluate(Map<String, ?> values) {
    ExpressionCost cost = new ExpressionCost(rules);
    try {
      Map<String, Object> converted = new ExpressionValues(cost).ofVariables(values);
      Object result = program.trace(converted, cost);
      // Operators such as || survive the failure of one side, also when that is the limit's.
      if (cost.isExceeded()) {
        return exceeded();
      }
      // A field of JSON has a type only when it is read.
      return result instanceof Boolean holds
          ? new Decided(holds)
          : new Undecided("its value is neither true nor false");
    } catch (ExpressionCost.ExceededException tooMuch) {
      return exceeded();
    } catch (ExpressionValues.TooLargeException tooLarge) {
      return new Undecided(String.valueOf(tooLarge.getMessage()));
    } catch (CelEvaluationException failed) {
      return cost.isExceeded() ? exceeded() : new Undecided(CelEnvironment.reason(failed));
    } catch (StackOverflowError tooDeep) {
      return new Undecided("the values are nested too deeply");
    }
  }

  private static Undecided exceeded() {
    return new Undecided("exceeds the limit of %,d steps".formatted(ExpressionCost.MAX_COST));
  }
}
