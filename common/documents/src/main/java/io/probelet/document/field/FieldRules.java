package io.probelet.document.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Common validations of fields beyond their type. Each method reports invalid values. */
public final class FieldRules {
  private FieldRules() {}

  /**
   * Reads a required, non-empty text.
   *
   * @return the text; null if there is none
   */
  public static @Nullable String requiredText(Field field, String rule) {
    String text = field.text();
    if (!field.isPresent() || (text != null && text.isBlank())) {
      field.required(rule);
      return null;
    }
    return text;
  }

  /**
   * Reads one of several words.
   *
   * @param words the allowed words, in the order of the message
   * @return the word; null if absent or invalid
   */
  public static @Nullable String oneOf(Field field, List<String> words) {
    String word = field.text();
    if (word != null && !words.contains(word)) {
      field.unsupported(words);
      return null;
    }
    return word;
  }

  /**
   * Reports a text that is absent or differs from the only allowed one.
   *
   * @param word the allowed one
   */
  public static void exactly(Field field, String word) {
    if (field.isPresent()) {
      oneOf(field, List.of(word));
    } else {
      field.required("must be " + word);
    }
  }

  /**
   * Reads one of several values by their words.
   *
   * @param values the allowed values; {@code toString} is the word
   * @return the value; null if absent or invalid
   */
  public static <T> @Nullable T oneOf(Field field, T[] values) {
    String word = oneOf(field, Arrays.stream(values).map(Object::toString).toList());
    return Arrays.stream(values)
        .filter(value -> value.toString().equals(word))
        .findFirst()
        .orElse(null);
  }

  /**
   * Reads a whole number.
   *
   * @param least the minimum
   * @param absent the result if absent or invalid
   */
  public static int atLeast(Field field, int least, int absent) {
    int errors = field.errors();
    int number = field.int32(absent);
    if (field.isPresent() && field.errors() == errors && number < least) {
      field.invalid("must be " + least + " or more");
      return absent;
    }
    return number;
  }

  /**
   * Parses a text.
   *
   * @param parser reports an invalid text by an {@link IllegalArgumentException}
   * @return the value; null if absent, empty or invalid
   */
  public static <T> @Nullable T parsed(Field field, Function<String, T> parser) {
    String text = field.text("");
    if (text.isEmpty()) {
      return null;
    }
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException malformed) {
      field.invalid(String.valueOf(malformed.getMessage()));
      return null;
    }
  }

  /**
   * Reads all entries of a map.
   *
   * @return its entries; empty when absent
   */
  public static List<Field> entries(Field field) {
    Fields object = field.object();
    return object == null ? List.of() : object.names().stream().map(object::keyed).toList();
  }

  /**
   * Reads a list of objects.
   *
   * @return the items that are objects; empty when absent
   */
  public static List<Fields> objects(Field field) {
    List<Fields> objects = new ArrayList<>();
    for (Field item : field.items()) {
      Fields object = item.object();
      if (object != null) {
        objects.add(object);
      } else if (!item.isPresent()) {
        item.invalid("must be an object");
      }
    }
    return objects;
  }
}
