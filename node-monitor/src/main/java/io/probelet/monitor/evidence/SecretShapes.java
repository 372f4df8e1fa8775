package io.probelet.monitor.evidence;

import static io.probelet.monitor.evidence.Redaction.MARK;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * How secrets are written in logs. A {@link Rule} matches a whole secret; a {@link Lead} matches
 * the text before one, and {@link SecretValue} finds its end. Patterns match in linear time.
 */
final class SecretShapes {
  /** A name of a secret, also as part of a longer name. */
  static final String SECRET =
      "(?:[\\w.-]*(?:passw(?:or)?d|passwd|passphrase|passcode|pwd|secret|token|api[_-]?key|access[_-]?key"
          + "|(?:account|private|encryption|master|signing|shared|storage|auth|ssh)[_-]?key"
          + "|credential|signature|session[_-]?id|sessionkey)[\\w.-]*"
          + "|(?:\\b|[\\w.-]*[_.-])(?:pass|pw|psk|creds?|(?:t?otp|jwt)(?:[_.-][\\w.-]*)?)|(?:ssh|db|pg|mysql|user)(?:pass|pw))";

  static final String QUOTE =
      "(?:\\\\*[\"']|%(?:25)*2[27]|\\\\+u002[27]|" + String.join("|", SecretValue.ENTITIES) + ")";
  private static final String BLANKS = "(?:\\s|\\+|%(?:25)*2[0B])*";

  /** The separator of a name and its value in files, flags, URLs and JSON, escaped and encoded. */
  static final String SEPARATOR =
      QUOTE
          + "?"
          + BLANKS
          + "(?:=>|:=|[=:]|%(?:25)*3[ADad]|\\\\+u003[adAD]|&(?:equals|colon|#61|#58|#x3[adAD]);)"
          + BLANKS;

  /** The namespace of an XML tag. */
  private static final String PREFIX = "(?:[\\w.-]+:)?";

  /** The text of an XML element. */
  private static final String CONTENT = "\\s*(?:<!\\[CDATA\\[.*?(?:\\]\\]>|$)|[^<\\s][^<]*)";

  /** The separator of a flag and its argument, in a command line and in a list of arguments. */
  private static final String ARGUMENT = "(?:\\s+|" + QUOTE + "\\s*,\\s*)";

  /** The text before a flag: a space, or the quote of an argument in a list. */
  private static final String FLAG = "[\\s\"']";

  /** The separator of a one-letter flag and its argument, which may be empty. */
  private static final String JOINED = "(?:" + ARGUMENT + ")?";

  /** {@link #SECRET} matches each of these names. */
  private static final List<String> PROMISING =
      List.of(
          "pass",
          "pw",
          "psk",
          "cred",
          "secret",
          "token",
          "key",
          "signature",
          "session",
          "otp",
          "jwt");

  private static final List<Rule> RULES =
      List.of(
          // The specification that kubelets log for a container that they cannot start.
          Rule.of(
              "&Container\\{Name:([^,{}]*),Image:([^,{}]*),.*\\}",
              "&Container{$1,$2," + MARK + "}",
              "&container{"),
          Rule.of(
              "(EnvVar|HTTPHeader|ExecAction|EnvFromSource)\\{.*\\}",
              "$1{" + MARK + "}",
              "env httpheader execaction"),
          // Commands and their arguments.
          Rule.of(
              "(?i)\\b((?:exec)?(?:cmd|command|commandline|args|argv|env|environ|environment))"
                  + "(\\\\*\"?\\s*[=:]\\s*\\\\*\"?)\\[.*\\]",
              "$1$2[" + MARK + "]",
              "cmd command arg env"),
          Rule.of("(?i)\\b(cmd|command):\\\\*\".*\\\\*\"", "$1:" + MARK, "cmd: command:"),
          Rule.of("(Exec lifecycle hook) ?\\(\\[.*\\]\\)", "$1 ([" + MARK + "])", "lifecycle"),
          Rule.of("\\b(COMMAND=\\S+)\\s.+", "$1 " + MARK, "command="),
          Rule.of("\\b(type=EXECVE .*?argc=[0-9]+) .*", "$1 " + MARK, "type=execve"),
          Rule.of("\\b(proctitle=).*", "$1" + MARK, "proctitle="),
          Rule.of(
              "(?i)\\b(environment|environ|env)=(?:\\\\*\".*\\\\*\"|\\S+)", "$1=" + MARK, "env"),
          // Headers, whose value is the rest of the line.
          Rule.of(
              "(?i)\\b((?:proxy-)?authorization|(?:set-)?cookie|x-[\\w-]*(?:key|token|auth)[\\w-]*)("
                  + SEPARATOR
                  + ").+",
              "$1$2" + MARK,
              "authorization cookie x-"),
          Rule.of(
              "(?i)\\b(bearer|basic|negotiate|digest)(?:\\s|%(?:25)*20|\\+)+[A-Za-z0-9+/_.~=%-]{8,}",
              "$1 " + MARK, "bearer basic negotiate digest"),
          Rule.of("(?i)(<" + PREFIX + SECRET + "(?:\\s[^<>]*)?>)" + CONTENT, "$1" + MARK, "<"),
          Rule.of(
              "(?i)(<[\\w.:-]+\\s(?:[^<>]*\\s)?(?:name|key)\\s*=\\s*"
                  + QUOTE
                  + SECRET
                  + QUOTE
                  + "(?:\\s[^<>]*)?>)"
                  + CONTENT,
              "$1" + MARK,
              "<"),
          Rule.of(
              "(?i)(<(?:name|key)>\\s*" + SECRET + "\\s*</(?:name|key)>\\s*<\\w+>)" + CONTENT,
              "$1" + MARK,
              "<name> <key>"),
          Rule.of(
              "(?i)([?&](?:sig|key|code|auth)=)[^\\s&\"']+", "$1" + MARK, "sig= key= code= auth="),
          Rule.of("([a-zA-Z][a-zA-Z0-9+.-]*://)[^\\s/\"']+@", "$1" + MARK + "@", "://"),
          Rule.of(
              "(jdbc:oracle:\\w+:[^\\s/]+/)(?:[^\\s\"']+|[^\\s@]+)@",
              "$1" + MARK + "@",
              "jdbc:oracle"),
          Rule.of(
              "\\b([\\w.-]+:)(?:[^\\s@:]+|[^\\s\"']+?)(@(?:tcp|udp|unix)\\()",
              "$1" + MARK + "$2",
              "@tcp( @udp( @unix("),
          // Secrets recognizable by their format.
          Rule.of("\\beyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]*)?", MARK, "eyj"),
          Rule.of("\\b(?:AKIA|ASIA)[A-Z0-9]{16}\\b", MARK, "akia asia"),
          Rule.of("\\b(?:AIza|ya29\\.|GOCSPX-)[A-Za-z0-9_.-]{10,}", MARK, "aiza ya29. gocspx-"),
          Rule.of("\\b[A-Za-z0-9_.~-]{3}[0-9]Q~[A-Za-z0-9_.~-]{20,}", MARK, "q~"),
          Rule.of("(hooks\\.slack\\.com/)\\S+", "$1" + MARK, "hooks.slack.com/"),
          Rule.of(
              "\\b(?:gh[pousr]_|github_pat_|glpat-|xox[abeoprs]-|xapp-|[sr]k-|[sr]k_live_|hv[bs]\\.|npm_"
                  + "|pypi-|dckr_pat_|SG\\.|dop_v1_|shpat_)[A-Za-z0-9_.-]{10,}",
              MARK,
              "gh glpat- xox xapp- k- k_live_ hv npm_ pypi- dckr_pat_ sg. dop_v1_ shpat_"));

  private static final List<Lead> LEADS =
      List.of(
          Lead.of(
              "(?i)(?:name|key)"
                  + SEPARATOR
                  + QUOTE
                  + "?"
                  + SECRET
                  + QUOTE
                  + "?(?:\\s*,\\s*|\\s+)"
                  + QUOTE
                  + "?value"
                  + SEPARATOR,
              "value"),
          Lead.of("(?i)<" + PREFIX + SECRET + "\\s(?:[^<>]*\\s)?value\\s*=\\s*", "value"),
          Lead.of("(?i)\\bstringData" + SEPARATOR, "stringdata"),
          new Lead(PROMISING, null, Pattern.compile("(?i)" + SECRET + SEPARATOR)),
          new Lead(PROMISING, null, Pattern.compile("(?i)--?" + SECRET + ARGUMENT)),
          Lead.of("(?i)(?:_auth|\\\\*\"auth\\\\*\")\\s*[:=]\\s*", "auth"),
          Lead.of("(?i)\\blogin\\s+\\S+\\s+password\\s+", "password"),
          Lead.of("^\\s+password\\s+", "password"),
          // SQL. Only quoted text counts, since the keywords also occur in sentences.
          Lead.of("(?i)\\bpassword\\s+(" + QUOTE + ")", "password"),
          Lead.of(
              "(?i)\\bidentified\\s+(?:with\\s+\\S+\\s+)?(?:by|as)\\s+(" + QUOTE + ")",
              "identified"),
          Lead.of("--from-literal(?:=|\\s+)", "--from-literal"),
          // Programs with one-letter flags for secrets.
          Lead.in(
              "(?:mysql|mariadb)[\\w-]*|sshpass", FLAG + "-v*p" + JOINED, "mysql mariadb sshpass"),
          Lead.in(
              "(?:docker|podman|nerdctl|buildah|skopeo|helm registry|oc|az)\\s+login",
              FLAG + "-p" + JOINED,
              "login"),
          Lead.in(
              "curl|wget|httpie",
              FLAG + "(?:-[a-zA-Z]*[uU]|--(?:proxy-)?user)(?:=|" + ARGUMENT + ")?",
              "curl wget httpie"),
          Lead.in(
              "redis-cli|smbclient|mount\\.cifs",
              FLAG + "-[aU]" + JOINED,
              "redis-cli smbclient cifs"),
          Lead.in("ldap\\w+", FLAG + "-[xvncLAMuCIQNkKtZr]*w" + JOINED, "ldap"),
          Lead.in("ldappasswd", FLAG + "-[as]" + JOINED, "ldappasswd"));

  private static final Pattern NAME = Pattern.compile("(?i)" + SECRET);

  /** A Kubernetes Secret, whose keys may have any name. */
  private static final Pattern SECRET_KIND =
      Pattern.compile("\\bkind" + SEPARATOR + QUOTE + "?Secret\\b");

  private static final Lead SECRET_DATA = Lead.of("\\bdata" + SEPARATOR, "data");

  /** The text after a value that precedes its name, as in {@code value: x, name: PASSWORD}. */
  private static final Pattern NAME_AFTER =
      Pattern.compile(
          "(?i)(?:\\s*,\\s*|\\s+)" + QUOTE + "?(?:name|key)" + SEPARATOR + QUOTE + "?" + SECRET);

  /** The most characters after a value in which its name is searched. */
  private static final int MAX_NAME = 200;

  private static final Pattern VALUE = Pattern.compile("(?i)\\bvalue" + SEPARATOR);

  private SecretShapes() {}

  /**
   * A pattern and its replacement.
   *
   * @param literals lower-case words of which every match contains one; most lines contain none,
   *     and this test costs a fiftieth of the search
   */
  private record Rule(List<String> literals, Pattern pattern, String replacement) {
    static Rule of(String expression, String replacement, String literals) {
      return new Rule(List.of(literals.split(" ", -1)), Pattern.compile(expression), replacement);
    }

    String apply(String line) {
      Matcher matcher = pattern.matcher(line);
      return matcher.find() ? matcher.replaceAll(replacement) : line;
    }
  }

  /**
   * The text before a secret.
   *
   * @param literals lower-case words of which every match contains one
   * @param pattern ends where the secret begins; its group is the secret's opening quote
   * @param program the program after whose name it applies; null for everywhere
   */
  private record Lead(List<String> literals, @Nullable Pattern program, Pattern pattern) {
    static Lead of(String expression, String literals) {
      return new Lead(List.of(literals.split(" ", -1)), null, Pattern.compile(expression));
    }

    static Lead in(String program, String flag, String literals) {
      return new Lead(
          List.of(literals.split(" ", -1)),
          Pattern.compile("\\b(?:" + program + ")(?:[\\s\"'\\\\]|$)"),
          Pattern.compile(flag));
    }

    String apply(String line) {
      int from = 0;
      if (program != null) {
        Matcher name = program.matcher(line);
        if (!name.find()) {
          return line;
        }
        from = name.end() - 1;
      }
      return without(line, from, pattern, true, _ -> false);
    }
  }

  /**
   * {@return the line with each value after a match replaced by a mark}
   *
   * @param from where the first match may begin
   * @param encoded whether a value may be percent-encoded, as what is before it is
   * @param harmless which values stay
   */
  static String without(
      String line, int from, Pattern before, boolean encoded, Predicate<String> harmless) {
    Matcher matcher = before.matcher(line);
    StringBuilder plain = new StringBuilder();
    int at = 0;
    int next = from;
    while (next <= line.length() && matcher.find(next)) {
      int begin = matcher.groupCount() > 0 ? matcher.start(1) : matcher.end();
      int end = SecretValue.end(line, begin, encoded && matcher.group().indexOf('%') >= 0);
      if (end > begin && !harmless.test(line.substring(begin, end))) {
        plain.append(line, at, begin).append(MARK);
        at = end;
      }
      next = Math.max(end, begin);
    }
    return at == 0 ? line : plain.append(line, at, line.length()).toString();
  }

  /** {@return whether a name looks like that of a secret} */
  static boolean isSecret(String name) {
    return NAME.matcher(name).matches();
  }

  /** {@return the line with each secret replaced by a mark} */
  static String withoutSecrets(String line) {
    String text = line;
    String lowerCase = line.toLowerCase(Locale.ROOT);
    for (Rule rule : RULES) {
      if (hasOne(lowerCase, rule.literals())) {
        text = rule.apply(text);
      }
    }
    for (Lead lead : LEADS) {
      if (hasOne(lowerCase, lead.literals())) {
        text = lead.apply(text);
      }
    }
    if (hasOne(lowerCase, PROMISING)) {
      text = SpokenSecrets.without(text);
    }
    if (lowerCase.contains("data") && SECRET_KIND.matcher(text).find()) {
      text = SECRET_DATA.apply(text);
    }
    return lowerCase.contains("value") ? withoutValuesBeforeNames(text) : text;
  }

  private static String withoutValuesBeforeNames(String line) {
    Matcher value = VALUE.matcher(line);
    StringBuilder plain = new StringBuilder();
    int at = 0;
    int from = 0;
    while (from <= line.length() && value.find(from)) {
      int begin = value.end();
      from = begin;
      if (begin < line.length() && "[{".indexOf(line.charAt(begin)) < 0) {
        from = Math.max(begin, SecretValue.end(line, begin, value.group().indexOf('%') >= 0));
        String next = line.substring(from, Math.min(line.length(), from + MAX_NAME));
        if (from > begin && NAME_AFTER.matcher(next).lookingAt()) {
          plain.append(line, at, begin).append(MARK);
          at = from;
        }
      }
    }
    return at == 0 ? line : plain.append(line, at, line.length()).toString();
  }

  private static boolean hasOne(String lowerCase, List<String> literals) {
    for (String literal : literals) {
      if (lowerCase.contains(literal)) {
        return true;
      }
    }
    return false;
  }
}
