package io.probelet.manifest.probe;

import io.probelet.document.field.Complaint;
import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.probe.HttpHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the request headers of an HTTP probe (P-12). */
public final class HeaderReader {
  private static final Pattern TOKEN = Pattern.compile("[-!#$%&'*+.^_`|~0-9A-Za-z]+");
  private static final Pattern ACCEPTED_BY_API_SERVER = Pattern.compile("[-0-9A-Za-z]+");

  private HeaderReader() {}

  static List<HttpHeader> read(Field field, boolean inSpec) {
    List<HttpHeader> headers = new ArrayList<>();
    for (Field item : field.items()) {
      Fields header = item.object();
      if (header == null) {
        if (!item.isPresent()) {
          item.required("a header with name and value");
        }
        continue;
      }
      Field value = header.field("value");
      String text = text(value);
      Field name = header.field("name");
      int errors = name.errors();
      headers.add(new HttpHeader(name(name), text));
      if (inSpec
          && errors == name.errors()
          && !ACCEPTED_BY_API_SERVER.matcher(name.text("")).matches()) {
        // P-12: narrower than HTTP's own names
        name.invalid("must consist of letters, digits and '-', as a cluster asks");
      }
      if (text.chars().anyMatch(c -> c != '\t' && Character.isISOControl(c))) {
        value.warning("holds line breaks or control characters, which no server will accept");
      }
      header.rejectUnknown(Set.of());
    }
    return headers;
  }

  /** Reads a value, which may be a secret: no message repeats it. */
  private static String text(Field value) {
    if (value.isPresent() && !value.isText()) {
      value.error(Complaint.INVALID_VALUE, "Invalid value: must be a string; put it in quotes");
      return "";
    }
    return value.text("");
  }

  /**
   * Reads a header's name.
   *
   * @param field where it stands
   * @return the name; after a complaint whatever is there, or nothing
   */
  public static String name(Field field) {
    int errors = field.errors();
    String name = field.text("");
    if (field.errors() != errors) {
      return name;
    }
    if (!field.isPresent() || name.isEmpty()) {
      field.required("the header's name"); // P-12: a header has a name
    } else if (!TOKEN.matcher(name).matches()) {
      field.invalid(
          // P-12: in annotations whatever HTTP takes
          upToMistake(name), "must be a header name: letters, digits and !#$%&'*+-.^_`|~");
    }
    return name;
  }

  /** "Authorization: Bearer …" is a name by mistake, and no message repeats the secret in it. */
  private static String upToMistake(String name) {
    Matcher token = TOKEN.matcher(name);
    int end = name.offsetByCodePoints(token.lookingAt() ? token.end() : 0, 1);
    return end == name.length() ? name : name.substring(0, end) + "…";
  }
}
