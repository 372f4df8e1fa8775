package io.probelet.document.expression;

import dev.cel.common.ast.CelExpr;
import dev.cel.common.ast.CelExpr.ExprKind.Kind;
import dev.cel.runtime.CelEvaluationListener;
import java.util.Collection;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one evaluation costs and ends it at a limit. A unit is about 10 ns. Each node costs
 * some, and more the larger its value is, since CEL's library walks through the values that it
 * hands on. Functions cost by the size of their operands, before they are called.
 */
final class ExpressionCost implements CelEvaluationListener {
  /** Most units of an evaluation: a tenth of a second. */
  static final long MAX_COST = 10_000_000;

  /** Most iterations of all loops together. */
  static final int MAX_ITERATIONS = 10_000;

  private static final long NODE = 10;

  /** For each value that a value is made of. */
  private static final long VALUE = 4;

  /** Characters that cost as much as one value. */
  private static final int CHARACTERS = 16;

  /** Ends an evaluation; what surrounds it may survive that, and is ended at its next node. */
  static final class ExceededException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ExceededException() {
      super("cost", null, false, false);
    }
  }

  private final CelRules rules;
  private long spent;

  /** The largest value so far: those that loops take out of others are no larger. */
  private long largest;

  ExpressionCost(CelRules rules) {
    this.rules = rules;
  }

  boolean isExceeded() {
    return spent > MAX_COST;
  }

  /** Notes the size of a variable. */
  void variable(@Nullable Object value) {
    largest = Math.max(largest, size(value, MAX_COST));
  }

  @Override
  public void callback(CelExpr node, @Nullable Object value) {
    spend(NODE);
    long size = size(value, MAX_COST - spent + 1);
    spend(VALUE * size);
    if (node.getKind() == Kind.SELECT) {
      spend(VALUE * largest * rules.selections(node.id()));
    }
    largest = Math.max(largest, size);
    int each = rules.perCharacter(node.id());
    if (each > 0) {
      spend(each * (value instanceof String text ? text.length() : size));
    }
  }

  private void spend(long units) {
    spent += units;
    if (spent > MAX_COST) {
      throw new ExceededException();
    }
  }

  /** {@return how many values a value is made of, counted up to a limit} */
  private static long size(@Nullable Object value, long limit) {
    long size = 1;
    switch (value) {
      case String text -> size += text.length() / CHARACTERS;
      case Collection<?> list -> {
        for (Object item : list) {
          if (size > limit) {
            break;
          }
          size += size(item, limit - size);
        }
      }
      case Map<?, ?> map -> {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          if (size > limit) {
            break;
          }
          size += size(entry.getKey(), limit - size);
          size += size(entry.getValue(), limit - size);
        }
      }
      case null, default -> {}
    }
    return size;
  }
}
