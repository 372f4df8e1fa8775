package io.probelet.monitor.evidence;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Locale;

/**
 * Takes out of the lines of one log what others must not see (ACT-106): tokens, passwords, HTTP
 * headers, environment values, the arguments of commands. It goes by how such things are written,
 * so that a secret that appears as an ordinary word stays. All patterns are matched in time linear
 * to the line.
 */
public final class Redaction {
  /** What is written in their place. */
  public static final String MARK = "[redacted]";

  /** Lines of a key that has no end are taken for something else after so many. */
  private static final int MAX_KEY_LINES = 200;

  private static final String KEY_BEGINS = "-----BEGIN ";
  private static final String KEY_ENDS = "-----END ";

  /** A name that promises a secret, as a part of a longer one too. */
  private static final String SECRET =
      "[\\w.-]*(?:passw(?:or)?d|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key"
          + "|private[_-]?key|credential|signature|auth[_-]?key|session[_-]?id|sessionkey)[\\w.-]*";

  /** In quotes, which may be escaped as often as logs quote logs, or up to the next blank. */
  private static final String VALUE =
      "(?:\\\\*\"[^\"\\\\]*\\\\*\"?|\\\\*'[^'\\\\]*\\\\*'?|[^\\s,;&\"'\\\\)}\\]]+)";

  /** Each of these names is in what {@link #SECRET} matches. */
  private static final List<String> PROMISING =
      List.of("pass", "pwd", "secret", "token", "key", "credential", "signature", "session");

  private static final List<Rule> RULES =
      List.of(
          // What kubelets log of a container that they cannot start: its whole specification.
          Rule.of(
              "&Container\\{Name:([^,{}]*),Image:([^,{}]*),.*\\}",
              "&Container{$1,$2," + MARK + "}",
              "&container{"),
          Rule.of(
              "(EnvVar|HTTPHeader|ExecAction|EnvFromSource)\\{.*\\}",
              "$1{" + MARK + "}",
              "env",
              "httpheader",
              "execaction"),
          // Commands, and what they are given.
          Rule.of(
              "(?i)\\b((?:exec)?(?:cmd|command|commandline|args|argv|env|environ|environment))"
                  + "(\\\\*\"?\\s*[=:]\\s*\\\\*\"?)\\[.*\\]",
              "$1$2[" + MARK + "]",
              "cmd",
              "command",
              "arg",
              "env"),
          Rule.of("(?i)\\b(cmd|command):\\\\*\".*\\\\*\"", "$1:" + MARK, "cmd:", "command:"),
          Rule.of(
              "(Exec lifecycle hook) ?\\(\\[.*\\]\\)",
              "$1 ([" + MARK + "])",
              "exec lifecycle hook"),
          Rule.of("\\b(COMMAND=\\S+)\\s.+", "$1 " + MARK, "command="),
          Rule.of("\\b(type=EXECVE .*?argc=[0-9]+) .*", "$1 " + MARK, "type=execve"),
          Rule.of("\\b(proctitle=).*", "$1" + MARK, "proctitle="),
          Rule.of(
              "(?i)\\b(environment|environ|env)=(?:\\\\*\".*\\\\*\"|\\S+)", "$1=" + MARK, "env"),
          // Headers: the rest of the line is theirs.
          Rule.of(
              "(?i)\\b((?:proxy-)?authorization|(?:set-)?cookie|x-[\\w-]*(?:key|token|auth)[\\w-]*)"
                  + "(\\\\*[\"']?\\s*[:=]\\s*).+",
              "$1$2" + MARK,
              "authorization",
              "cookie",
              "x-"),
          Rule.of(
              "(?i)\\b(bearer|basic|negotiate|digest)\\s+[A-Za-z0-9+/_.~=-]{8,}",
              "$1 " + MARK,
              "bearer",
              "basic",
              "negotiate",
              "digest"),
          // Names with values, as in files, flags, URLs and JSON.
          new Rule(
              PROMISING,
              Pattern.compile("(?i)(" + SECRET + ")(\\\\*[\"']?\\s*(?:=|:)\\s*)" + VALUE),
              "$1$2" + MARK),
          new Rule(PROMISING, Pattern.compile("(?i)(--?" + SECRET + ")\\s+" + VALUE), "$1 " + MARK),
          Rule.of(
              "(?i)([?&](?:sig|key|code|auth)=)[^\\s&\"']+",
              "$1" + MARK,
              "sig=",
              "key=",
              "code=",
              "auth="),
          Rule.of("([a-zA-Z][a-zA-Z0-9+.-]*://)[^\\s/@\"']+@", "$1" + MARK + "@", "://"),
          // What shows by itself what it is.
          Rule.of("\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]*)?", MARK, "eyj"),
          Rule.of("\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b", MARK, "akia", "asia"),
          Rule.of(
              "\\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|sk-|hvs\\.)[A-Za-z0-9_-]{10,}",
              MARK,
              "gh",
              "github_pat_",
              "glpat-",
              "xox",
              "sk-",
              "hvs."));

  /** With these tokens nodes join a cluster. */
  private static final java.util.regex.Pattern BOOTSTRAP =
      java.util.regex.Pattern.compile("\\b[a-z0-9]{6}\\.[a-z0-9]{16}\\b");

  /** Random text of this length is a key; in hexadecimal digits only it is a digest or an id. */
  private static final java.util.regex.Pattern LONG =
      java.util.regex.Pattern.compile("[A-Za-z0-9+/_-]{40,}+={0,2}");

  private static final java.util.regex.Pattern HARMLESS =
      java.util.regex.Pattern.compile("[0-9a-f]+|[0-9A-F]+|[a-z/_-]+|[A-Z/_-]+|.*/.*/.*/.*");

  private int keyLines;

  /**
   * What is searched for, and what takes its place.
   *
   * @param literals of which every match has one, in lower case: most lines have none, and finding
   *     that out costs a fiftieth of the search
   */
  private record Rule(List<String> literals, Pattern pattern, String replacement) {
    static Rule of(String expression, String replacement, String... literals) {
      return new Rule(List.of(literals), Pattern.compile(expression), replacement);
    }

    boolean mayMatch(String lowerCase) {
      for (String literal : literals) {
        if (lowerCase.contains(literal)) {
          return true;
        }
      }
      return false;
    }
  }

  /** Creates one for one log, at its beginning. */
  public Redaction() {}

  /**
   * Takes the secrets out of the next line.
   *
   * @param line without its end
   * @return what may be seen
   */
  public String line(String line) {
    String end = line;
    if (keyLines > 0) {
      int ends = line.indexOf(KEY_ENDS);
      if (ends < 0 && keyLines < MAX_KEY_LINES) {
        keyLines++;
        return MARK;
      }
      keyLines = 0;
      end = ends < 0 ? line : MARK + line.substring(ends);
    }
    int begins = end.indexOf(KEY_BEGINS);
    if (begins >= 0) {
      int ends = end.indexOf(KEY_ENDS, begins);
      keyLines = ends < 0 ? 1 : 0;
      end = end.substring(0, begins) + MARK + (ends < 0 ? "" : end.substring(ends));
    }
    return withoutKeys(withoutSecrets(end));
  }

  private static String withoutSecrets(String line) {
    String text = line;
    String lowerCase = line.toLowerCase(Locale.ROOT);
    for (Rule rule : RULES) {
      if (rule.mayMatch(lowerCase)) {
        Matcher matcher = rule.pattern().matcher(text);
        text = matcher.find() ? matcher.replaceAll(rule.replacement()) : text;
      }
    }
    return BOOTSTRAP.matcher(text).replaceAll(java.util.regex.Matcher.quoteReplacement(MARK));
  }

  private static String withoutKeys(String line) {
    java.util.regex.Matcher matcher = LONG.matcher(line);
    StringBuilder plain = new StringBuilder();
    int at = 0;
    while (matcher.find()) {
      plain.append(line, at, matcher.start());
      plain.append(isKey(matcher.group()) ? MARK : matcher.group());
      at = matcher.end();
    }
    return at == 0 ? line : plain.append(line, at, line.length()).toString();
  }

  /** Of letters of both cases and digits; not a path, nor a name of several words. */
  private static boolean isKey(String text) {
    return !HARMLESS.matcher(text).matches()
        && text.chars().anyMatch(Character::isDigit)
        && !text.equals(text.toLowerCase(Locale.ROOT));
  }

  /**
   * Takes the secrets out of the texts of a document.
   *
   * @param document which stays as it is
   * @return a copy; the values of names that promise a secret are taken out whatever they are
   */
  static JsonNode json(JsonNode document) {
    return switch (document) {
      case ObjectNode object -> {
        ObjectNode copy = object.objectNode();
        object
            .properties()
            .forEach(field -> copy.set(field.getKey(), field(field.getKey(), field.getValue())));
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

  private static JsonNode field(String name, JsonNode value) {
    return NAME.matcher(name).matches() ? TextNode.valueOf(MARK) : json(value);
  }

  private static final Pattern NAME = Pattern.compile("(?i)" + SECRET);
}
