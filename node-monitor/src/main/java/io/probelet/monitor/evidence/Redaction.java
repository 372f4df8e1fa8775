package io.probelet.monitor.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Redacts secrets in the lines of one log (ACT-106): tokens, passwords, HTTP headers, environment
 * values, arguments of commands. It recognizes secrets by how they are written ({@link
 * SecretShapes}); a secret written as an ordinary word remains. Its time is linear in the length of
 * the line.
 */
public final class Redaction {
  /** The replacement of a secret. */
  public static final String MARK = "[redacted]";

  /** Bootstrap tokens, with which nodes join a cluster. */
  private static final Pattern BOOTSTRAP = Pattern.compile("\\b[a-z0-9]{6}\\.[a-z0-9]{16}\\b");

  /** Random text of this length is a key; in hexadecimal digits only, it is a digest or an ID. */
  private static final Pattern LONG = Pattern.compile("[A-Za-z0-9+/_-]{40,}+={0,2}");

  private static final Pattern HARMLESS =
      Pattern.compile("[0-9a-f]+|[0-9A-F]+|[a-z/_-]+|[A-Z/_-]+");

  /** Parts of a path are short; a key with slashes has a part of this length. */
  private static final Pattern LONG_PART = Pattern.compile("[^/]{20,}");

  private static boolean isPath(String text) {
    return text.chars().filter(letter -> letter == '/').count() >= 3
        && !LONG_PART.matcher(text).find();
  }

  private final KeyBlock keys = new KeyBlock();

  /** Creates one for a log, at its beginning. */
  public Redaction() {}

  /**
   * Redacts the next line.
   *
   * @param line without its end
   * @return the redacted line
   */
  public String line(String line) {
    String text = SecretShapes.withoutSecrets(keys.line(line));
    return withoutKeys(BOOTSTRAP.matcher(text).replaceAll(Matcher.quoteReplacement(MARK)));
  }

  private static String withoutKeys(String line) {
    Matcher matcher = LONG.matcher(line);
    StringBuilder plain = new StringBuilder();
    int at = 0;
    while (matcher.find()) {
      plain.append(line, at, matcher.start());
      plain.append(isKey(matcher.group()) ? MARK : matcher.group());
      at = matcher.end();
    }
    return at == 0 ? line : plain.append(line, at, line.length()).toString();
  }

  /**
   * Returns whether text mixes upper and lower case letters and digits, and is neither a path nor a
   * name of several words.
   */
  private static boolean isKey(String text) {
    return !HARMLESS.matcher(text).matches()
        && !isPath(text)
        && text.chars().anyMatch(Character::isDigit)
        && !text.equals(text.toLowerCase(Locale.ROOT));
  }

  /**
   * Redacts the texts of a document.
   *
   * @return a copy; values of secret-looking names are always redacted
   */
  static JsonNode json(JsonNode document) {
    return switch (document) {
      case ObjectNode object -> {
        ObjectNode copy = object.objectNode();
        object
            .properties()
            .forEach(field ->
                copy.set(
                    field.getKey(),
                    isSecretOf(object, field.getKey())
                        ? TextNode.valueOf(MARK)
                        : json(field.getValue())));
        yield copy;
      }
      case ArrayNode array -> {
        ArrayNode copy = array.arrayNode();
        array.forEach(each -> copy.add(json(each)));
        yield copy;
      }
      case TextNode text -> TextNode.valueOf(new Redaction().line(text.textValue()));
      default -> document;
    };
  }

  /** By the field's name, or by the name in the object. */
  private static boolean isSecretOf(ObjectNode object, String field) {
    return SecretShapes.isSecret(field)
        || (field.equals("value")
            && (SecretShapes.isSecret(object.path("name").asText())
                || SecretShapes.isSecret(object.path("key").asText())))
        || field.equals("stringData")
        || (field.equals("data") && object.path("kind").asText().equals("Secret"));
  }
}
