package io.probelet.manifest.pod;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.document.name.LabelValue;
import io.probelet.document.name.QualifiedName;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The rules for labels, annotations, and names with a prefix such as {@code example.com/name}. */
final class LabelRules {
  /** The limit for all annotations of an object together. */
  private static final int MAX_ANNOTATION_BYTES = 256 * 1024;

  private LabelRules() {}

  /** Checks labels, or a node selector, which has the same form. */
  static void labels(Field field) {
    Fields labels = field.object();
    if (labels == null) {
      return;
    }
    for (String key : labels.names()) {
      Field label = labels.keyed(key);
      if (!QualifiedName.isValid(key)) {
        label.error(Complaint.INVALID_KEY, "Invalid key: " + QualifiedName.RULE);
      }
      value(label);
    }
  }

  /** Checks the value of a label. */
  static void value(Field field) {
    if (!LabelValue.isValid(field.text(""))) {
      field.invalid(LabelValue.RULE);
    }
  }

  /** Checks the keys of annotations and their total size. */
  static void annotations(@Nullable Fields annotations) {
    if (annotations == null) {
      return;
    }
    long bytes = 0;
    for (String key : annotations.names()) {
      Field annotation = annotations.keyed(key);
      if (!QualifiedName.isValid(key.toLowerCase(Locale.ROOT))) {
        annotation.error(Complaint.INVALID_KEY, "Invalid key: " + QualifiedName.RULE);
      }
      bytes += key.getBytes(StandardCharsets.UTF_8).length;
      bytes += annotation.text("").getBytes(StandardCharsets.UTF_8).length;
    }
    if (bytes > MAX_ANNOTATION_BYTES) {
      annotations
          .self()
          .error(
              Complaint.TOO_LONG,
              "Too long: %d bytes, keys and values together: must be no more than %d"
                  .formatted(bytes, MAX_ANNOTATION_BYTES));
    }
  }

  /** Checks a name that may have a prefix. */
  static void qualifiedName(Field field) {
    if (!QualifiedName.isValid(field.text(""))) {
      field.invalid(QualifiedName.RULE);
    }
  }
}
