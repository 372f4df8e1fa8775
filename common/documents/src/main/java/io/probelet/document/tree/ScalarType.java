package io.probelet.document.tree;

/** The type of a scalar, by its text. */
public enum ScalarType {
  /** Text. */
  STRING,
  /** An integer, in any base of YAML. */
  INTEGER,
  /** A number with a fraction or an exponent, infinity, or not-a-number. */
  FLOAT,
  /** True or false. */
  BOOLEAN,
  /** Null; the same as an absent field. */
  NULL
}
