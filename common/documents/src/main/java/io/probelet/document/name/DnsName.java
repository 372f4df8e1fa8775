package io.probelet.document.name;

import io.probelet.document.field.Field;
import io.probelet.document.field.FieldRules;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The rules for names of containers, pods and hosts (RFC 1123 in lower case). */
public enum DnsName {
  /** One label. */
  LABEL(
      63,
      "[a-z0-9]([-a-z0-9]*[a-z0-9])?",
      "must be a lowercase RFC 1123 label: a-z, 0-9 and '-', beginning and ending with a letter or"
          + " digit"),
  /** Labels joined by dots. */
  SUBDOMAIN(
      253,
      "[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*",
      "must be a lowercase RFC 1123 subdomain: a-z, 0-9, '-' and '.', each part beginning and"
          + " ending with a letter or digit");

  private final int longest;
  private final Pattern pattern;
  private final String rule;

  DnsName(int longest, String pattern, String rule) {
    this.longest = longest;
    this.pattern = Pattern.compile(pattern);
    this.rule = rule;
  }

  /**
   * {@return whether a name is valid}
   *
   * @param name any text
   */
  public boolean matches(String name) {
    return name.length() <= longest && pattern.matcher(name).matches();
  }

  /** {@return the rule for a name, beginning with {@code must}} */
  public String rule() {
    return rule;
  }

  /**
   * Reads the name of an API object.
   *
   * @return the name; null if it is absent or invalid, which is reported
   */
  public static @Nullable String ofObject(Field field) {
    String name = FieldRules.requiredText(field, "the resource's name");
    if (name != null) {
      SUBDOMAIN.check(field, name);
    }
    return name != null && SUBDOMAIN.matches(name) ? name : null;
  }

  /** Reports an invalid name. */
  public void check(Field field, String name) {
    if (name.length() > longest) {
      field.invalid("must be no more than " + longest + " characters");
    } else if (!pattern.matcher(name).matches()) {
      field.invalid(rule);
    }
  }
}
