package io.probelet.document.tree;

/** The type of a scalar, by its text. */
public enum ScalarType {
  /** Text. */
  STRING,
  /** A whole number, in any base YAML knows. */
  INTEGER,
  /** A number with a fraction or an exponent, infinity, or not-a-number. */
  FLOAT,
  /** True or false. */
  BOOLEAN,
  /** Nothing; the same as leaving the field out. */
  NULL
}
