package io.probelet.document.expression;

import java.util.Map;
import java.util.TreeMap;

/** The type of a variable. */
public sealed interface ExpressionType {
  /** A type without parts. */
  enum Scalar implements ExpressionType {
    /** True or false. */
    BOOL,
    /** A whole number. */
    INT,
    /** A text. */
    STRING,
    /** An elapsed time or an age: expressions have no clock. */
    DURATION,
    /** Any value, such as JSON: its fields are known only when the expression is evaluated. */
    ANY
  }

  /**
   * A list.
   *
   * @param item the type of its items
   */
  record ListOf(ExpressionType item) implements ExpressionType {}

  /**
   * A map whose keys are texts.
   *
   * @param value the type of its values
   */
  record MapOf(ExpressionType value) implements ExpressionType {}

  /**
   * An object with known fields. Its value is a map, in which a field may be absent.
   *
   * @param name its name in messages
   * @param fields their types by name
   */
  record ObjectOf(String name, Map<String, ExpressionType> fields) implements ExpressionType {
    /** Sorts the fields, so that messages list them in the same order. */
    public ObjectOf {
      fields = new TreeMap<>(fields);
    }
  }
}
