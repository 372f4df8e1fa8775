package io.probelet.manifest.pod;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for labels, annotations, and names with a prefix such as {@code example.com/name}. */
final class LabelRules {
  /** All annotations of an object together. */
  private static final int MAX_ANNOTATION_BYTES = 256 * 1024;

  private static final int MAX_NAME = 63;
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?");
  private static final String KEY_RULE =
      "must be a name of at most 63 letters, digits, '-', '_' and '.', beginning and ending with a"
          + " letter or digit, with an optional DNS name and '/' before it";

  private LabelRules() {}

  /** Checks labels, or a node selector, which is the same. */
  static void labels(Field field) {
    Fields labels = field.object();
    if (labels == null) {
      return;
    }
    for (String key : labels.names()) {
      Field label = labels.keyed(key);
      if (!isQualifiedName(key)) {
        label.error("Invalid key: " + KEY_RULE);
      }
      value(label);
    }
  }

  /** Checks what may be a label's value. */
  static void value(Field field) {
    String value = field.text("");
    if (value.length() > MAX_NAME || !(value.isEmpty() || NAME.matcher(value).matches())) {
      field.invalid(
          "must be empty or at most 63 letters, digits, '-', '_' and '.', beginning and ending with"
              + " a letter or digit");
    }
  }

  /** Checks the keys of annotations, and that there are not too many. */
  static void annotations(@Nullable Fields annotations) {
    if (annotations == null) {
      return;
    }
    long bytes = 0;
    for (String key : annotations.names()) {
      Field annotation = annotations.keyed(key);
      if (!isQualifiedName(key.toLowerCase(Locale.ROOT))) {
        annotation.error("Invalid key: " + KEY_RULE);
      }
      bytes += key.getBytes(StandardCharsets.UTF_8).length;
      bytes += annotation.text("").getBytes(StandardCharsets.UTF_8).length;
    }
    if (bytes > MAX_ANNOTATION_BYTES) {
      annotations
          .self()
          .error(
              "Too long: %d bytes, keys and values together: must be no more than %d"
                  .formatted(bytes, MAX_ANNOTATION_BYTES));
    }
  }

  /** Checks a name that may have a prefix. */
  static void qualifiedName(Field field) {
    if (!isQualifiedName(field.text(""))) {
      field.invalid(KEY_RULE);
    }
  }

  static boolean isQualifiedName(String key) {
    int slash = key.indexOf('/');
    String name = key.substring(slash + 1);
    return name.length() <= MAX_NAME
        && NAME.matcher(name).matches()
        && (slash < 0 || DnsName.SUBDOMAIN.matches(key.substring(0, slash)));
  }
}
