package io.probelet.document.field;

import io.probelet.document.tree.Node;
import io.probelet.document.tree.Node.Mapping;
import io.probelet.document.tree.Node.Scalar;
import io.probelet.document.tree.Node.Sequence;
import io.probelet.document.tree.Position;
import io.probelet.document.tree.ScalarType;
import io.probelet.document.tree.ScalarValue;
import io.probelet.health.GoDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A field with its value, if present, and methods to report problems. A method that expects another
 * type reports the error and returns as if the field were absent.
 */
public final class Field {
  private final Scope scope;
  private final String name;
  private final String path;
  private final Position at;
  private final boolean given;
  private final @Nullable Node value;

  private Field(
      Scope scope, String name, String path, Position at, boolean given, @Nullable Node value) {
    this.scope = scope;
    this.name = name;
    this.path = path;
    this.at = at;
    this.given = given;
    this.value = value;
  }

  static Field absent(Scope scope, String name, String path, Position owner) {
    return new Field(scope, name, path, owner, false, null);
  }

  /** Creates a field with a value; null in the text counts as absent. */
  static Field present(Scope scope, String name, String path, Node value) {
    boolean nothing = value instanceof Scalar scalar && scalar.type() == ScalarType.NULL;
    return new Field(scope, name, path, value.at(), true, nothing ? null : value);
  }

  /**
   * The value of a whole document.
   *
   * @param path its path; empty unless the document is part of another
   */
  public static Field ofDocument(Scope scope, String path, Node root) {
    return present(scope, "", path, root);
  }

  /** {@return whether it has a value} */
  public boolean isPresent() {
    return value != null;
  }

  /** {@return whether it is absent, or an empty list or object} */
  public boolean isEmpty() {
    return switch (value) {
      case null -> true;
      case Sequence list -> list.items().isEmpty();
      case Mapping object -> object.entries().isEmpty();
      case Scalar _ -> false;
    };
  }

  /** {@return whether it is written, possibly with null} */
  public boolean isGiven() {
    return given;
  }

  /** {@return its name, the last part of the path} */
  public String name() {
    return name;
  }

  /** {@return its path} */
  public String path() {
    return path;
  }

  /** {@return its position; for an absent field, the start of the object that lacks it} */
  public Position at() {
    return at;
  }

  /** {@return its value, null when absent} */
  public @Nullable Node value() {
    return value;
  }

  /**
   * Reads a 32-bit integer.
   *
   * @param absent the result if absent
   */
  public int int32(int absent) {
    long number = integer(Integer.MIN_VALUE, Integer.MAX_VALUE, "32").orElse(absent);
    return Math.toIntExact(number);
  }

  /**
   * Reads a 64-bit integer.
   *
   * @param absent the result if absent
   */
  public long int64(long absent) {
    return integer(Long.MIN_VALUE, Long.MAX_VALUE, "64").orElse(absent);
  }

  private OptionalLong integer(long least, long most, String bits) {
    if (value == null) {
      return OptionalLong.empty();
    }
    if (!isNumber()) {
      mistyped("must be an integer");
      return OptionalLong.empty();
    }
    OptionalLong number = ScalarValue.integer((Scalar) value);
    if (number.isEmpty() || number.getAsLong() < least || number.getAsLong() > most) {
      mistyped("must be a whole number of at most " + bits + " bits");
      return OptionalLong.empty();
    }
    return number;
  }

  /** {@return whether it is a number, integer or not} */
  public boolean isNumber() {
    return value instanceof Scalar scalar
        && (scalar.type() == ScalarType.INTEGER || scalar.type() == ScalarType.FLOAT);
  }

  /** {@return whether it is a list} */
  public boolean isList() {
    return value instanceof Sequence;
  }

  /** {@return the text of its scalar value, of any type; empty otherwise} */
  public String scalar() {
    return value instanceof Scalar scalar ? scalar.text() : "";
  }

  /** {@return whether it is an object} */
  public boolean isObject() {
    return value instanceof Mapping;
  }

  /** {@return whether it is text} */
  public boolean isText() {
    return value instanceof Scalar scalar && scalar.type() == ScalarType.STRING;
  }

  /**
   * Reads text.
   *
   * @return the text, null when absent
   */
  public @Nullable String text() {
    if (value == null) {
      return null;
    }
    if (value instanceof Scalar scalar) {
      if (scalar.type() == ScalarType.STRING) {
        return scalar.text();
      }
      mistyped("must be a string; put it in quotes");
    } else {
      mistyped("must be a string");
    }
    return null;
  }

  /**
   * Reads text.
   *
   * @param absent the result if absent
   */
  public String text(String absent) {
    String text = text();
    return text == null ? absent : text;
  }

  /**
   * Reads a boolean.
   *
   * @param absent the result if absent
   */
  public boolean bool(boolean absent) {
    if (value == null) {
      return absent;
    }
    if (value instanceof Scalar scalar && scalar.type() == ScalarType.BOOLEAN) {
      return ScalarValue.bool(scalar);
    }
    mistyped("must be true or false");
    return absent;
  }

  /**
   * Reads a duration in Go's notation (P-18).
   *
   * @return the duration, null when absent or malformed
   */
  public @Nullable Duration duration() {
    if (value == null) {
      return null;
    }
    if (!isText()) {
      mistyped("must be a duration with a unit, such as 250ms, 1.5s or 2m");
      return null;
    }
    try {
      return GoDuration.parse(text(""));
    } catch (IllegalArgumentException e) {
      mistyped("must be a duration such as 250ms, 1.5s or 2m");
      return null;
    }
  }

  /** {@return the list's items as fields, empty when absent} */
  public List<Field> items() {
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof Sequence sequence)) {
      mistyped("must be a list");
      return List.of();
    }
    List<Field> items = new ArrayList<>();
    for (Node item : sequence.items()) {
      String index = "[" + items.size() + "]";
      items.add(present(scope, index, path + index, item));
    }
    return items;
  }

  /** {@return a list of texts, empty when absent} */
  public List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (Field item : items()) {
      if (item.isPresent()) {
        texts.add(item.text(""));
      } else {
        item.invalid("must be a string");
      }
    }
    return texts;
  }

  /** {@return a list of texts, with null as empty text; empty when absent} */
  public List<String> textsOrEmpty() {
    return items().stream().map(item -> item.text("")).toList();
  }

  /** {@return the object's fields, null when absent} */
  public @Nullable Fields object() {
    if (value == null) {
      return null;
    }
    if (value instanceof Mapping mapping) {
      return new Fields(scope, path, mapping);
    }
    if (path.isEmpty() && value instanceof Scalar && scope.problems().firstMistyped(at, path)) {
      error("must be an object"); // a file in another format may contain secrets
    } else {
      mistyped("must be an object");
    }
    return null;
  }

  /** {@return the object's fields, none when absent; null when it is something else} */
  public @Nullable Fields objectOrEmpty() {
    return value == null ? new Fields(scope, path, new Mapping(at, Map.of())) : object();
  }

  /**
   * {@return the number of errors of the document so far; if unchanged afterwards, everything was
   * valid}
   */
  public int errors() {
    return scope.problems().errors();
  }

  /** Reports a missing value. */
  public void required(String rule) {
    error(rule.isEmpty() ? "Required value" : "Required value: " + rule);
  }

  /** Reports the value's type as wrong, once however often it is read. */
  private void mistyped(String rule) {
    if (scope.problems().firstMistyped(at, path)) {
      invalid(rule);
    }
  }

  /** Reports an invalid value. */
  public void invalid(String rule) {
    error(Complaint.INVALID_VALUE, "Invalid value: " + Rendering.of(value) + ": " + rule);
  }

  /** Reports an invalid value, showing only a part of it. */
  public void invalid(String shown, String rule) {
    error(Complaint.INVALID_VALUE, "Invalid value: " + Rendering.quoted(shown) + ": " + rule);
  }

  /** Reports an invalid default of an absent field. */
  public void invalid(long found, String rule) {
    error(Complaint.INVALID_VALUE, "Invalid value: " + found + ": " + rule);
  }

  /** Reports a value that is not supported. */
  public void unsupported(List<String> supported) {
    String words = supported.stream().map(Rendering::quoted).collect(Collectors.joining(", "));
    error(
        Complaint.UNSUPPORTED_VALUE,
        "Unsupported value: " + Rendering.of(value) + ": supported values: " + words);
  }

  /** Reports a field that is not allowed. */
  public void forbidden(String rule) {
    error(Complaint.FORBIDDEN, "Forbidden: " + rule);
  }

  /**
   * Reports a value that the administrator's policy does not allow.
   *
   * @param rule the allowed values, such as {@code no exec}
   */
  public void notAllowed(String rule, String setting) {
    forbidden("the policy for this namespace allows %s (%s)".formatted(rule, setting));
  }

  /**
   * Reports a duplicate value.
   *
   * @param where where it occurred first
   */
  public void duplicate(String where) {
    error(Complaint.DUPLICATE_VALUE, "Duplicate value: " + Rendering.of(value) + ": " + where);
  }

  /** Reports an error with any text. */
  public void error(String message) {
    scope.problems().error(at, path, message);
  }

  /** Reports an error with any text. */
  public void error(Complaint complaint, String message) {
    scope.problems().add(Problem.Severity.ERROR, at, path, complaint, message);
  }

  /** Reports a warning. */
  public void warning(Complaint complaint, String message) {
    scope.problems().add(Problem.Severity.WARNING, at, path, complaint, message);
  }

  /** Reports a warning. */
  public void warning(String message) {
    scope.problems().warning(at, path, message);
  }
}
