package io.probelet.document.name;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The forms that {@code apiVersion} and {@code kind} of an API object can have. */
public final class ObjectType {
  /** The rule for an {@code apiVersion}. */
  public static final String API_VERSION_RULE =
      "must be a version or group/version, such as v1 or example.org/v1";

  /** The rule for a kind. */
  public static final String KIND_RULE =
      "must be a kind: at most 63 letters, digits and '-', beginning with a letter, such as"
          + " Deployment";

  private static final int MAX_NAME = 63;

  /** As the API server requires of the versions and kinds of custom resources. */
  private static final Pattern VERSION = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");

  private static final Pattern KIND = Pattern.compile("[A-Za-z]([-A-Za-z0-9]*[A-Za-z0-9])?");

  private ObjectType() {}

  /**
   * Reads the {@code apiVersion} of a type of objects.
   *
   * @param rule what is required, for the error if it is absent
   * @return the text; null if it is absent or invalid, which is reported
   */
  public static @Nullable String apiVersion(Field field, String rule) {
    String text = FieldRules.requiredText(field, rule);
    if (text != null && !isApiVersion(text)) {
      field.invalid(API_VERSION_RULE);
      return null;
    }
    return text;
  }

  /**
   * Reads the {@code kind} of a type of objects.
   *
   * @param rule what is required, for the error if it is absent
   * @return the text; null if it is absent or invalid, which is reported
   */
  public static @Nullable String kind(Field field, String rule) {
    String text = FieldRules.requiredText(field, rule);
    if (text != null && !isKind(text)) {
      field.invalid(KIND_RULE);
      return null;
    }
    return text;
  }

  /**
   * {@return whether a text can be a kind}
   *
   * @param text any text
   */
  public static boolean isKind(String text) {
    return isName(KIND, text);
  }

  /**
   * {@return whether a text can be an {@code apiVersion}; without a group there is no slash}
   *
   * @param text any text
   */
  public static boolean isApiVersion(String text) {
    int slash = text.indexOf('/');
    return isName(VERSION, text.substring(slash + 1))
        && (slash < 0 || DnsName.SUBDOMAIN.matches(text.substring(0, slash)));
  }

  private static boolean isName(Pattern pattern, String text) {
    return text.length() <= MAX_NAME && pattern.matcher(text).matches();
  }
}
