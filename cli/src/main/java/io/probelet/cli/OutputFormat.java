package io.probelet.cli;

import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The format of a command's output. */
enum OutputFormat {
  /** Lines for people. */
  TEXT,
  /** One JSON document. */
  JSON,
  /** One SARIF document, for continuous integration. */
  SARIF;

  /** {@return the word on the command line} */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Reads the word on the command line. */
  static final class Converter implements ITypeConverter<OutputFormat> {
    @Override
    public OutputFormat convert(String word) {
      return switch (word) {
        case "text" -> TEXT;
        case "json" -> JSON;
        case "sarif" -> SARIF;
        default ->
            throw new TypeConversionException(
                "\"" + word + "\" is not allowed; use text, json or sarif");
      };
    }
  }
}
