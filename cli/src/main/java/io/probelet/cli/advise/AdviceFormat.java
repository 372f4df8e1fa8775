package io.probelet.cli.advise;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The format of advice. */
public enum AdviceFormat {
  /** Lines for people. */
  TEXT,
  /** One JSON document. */
  JSON,
  /** One SARIF document about manifests. */
  SARIF,
  /** Strategic merge patches as YAML documents. */
  PATCH;

  /** Reads the word on the command line. */
  public static final class Converter implements ITypeConverter<AdviceFormat> {
    /** Created by the command line. */
    public Converter() {}

    @Override
    public AdviceFormat convert(String word) {
      return switch (word) {
        case "text" -> TEXT;
        case "json" -> JSON;
        case "sarif" -> SARIF;
        case "patch" -> PATCH;
        default ->
            throw new TypeConversionException(
                "\"" + word + "\" is not allowed; use text, json, sarif or patch");
      };
    }
  }
}
