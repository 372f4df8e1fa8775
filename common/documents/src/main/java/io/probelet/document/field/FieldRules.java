package io.probelet.document.field;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What readers ask of a field beyond its type. Each complains about what it refuses. */
public final class FieldRules {
  private FieldRules() {}

  /**
   * Reads a text that must be there and say something.
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
   * Reads one of a few words.
   *
   * @param words those there are, in the order in which a message names them
   * @return the word; null if it is absent or another
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
   * Complains about a text that is not there, or is another than the only one there may be.
   *
   * @param word the one
   */
  public static void exactly(Field field, String word) {
    if (field.isPresent()) {
      oneOf(field, List.of(word));
    } else {
      field.required("must be " + word);
    }
  }

  /**
   * Reads one of a few values by their words.
   *
   * @param values those there are; {@code toString} is the word
   * @return the value; null if the field is absent or says another word
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
   * @param least the least it may be
   * @param absent what to answer when there is none, or none that may be
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
   * Reads a text that has a notation of its own.
   *
   * @param parser says by an {@link IllegalArgumentException} what is wrong with the text
   * @return the value; null if it is absent, empty or refused
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
   * Reads the values of an object whose names are data, all of them.
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
