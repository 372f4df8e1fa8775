package io.probelet.cli.monitoring;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a query in PromQL asks for: metrics by their labels, and labels to group or join by. */
record PromQuery(List<Selector> selectors, Set<String> grouping) {
  private static final Set<String> KEYWORDS =
      Set.of("and", "or", "unless", "bool", "offset", "by", "without", "on", "ignoring", "inf");

  /** Ranges, offsets, and the strings that functions such as label_replace take. */
  private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*\\]|offset \\w+|, \"[^\"]*\"");

  private static final Pattern GROUPING =
      Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\(([^)]*)\\)");
  private static final Pattern NAME =
      Pattern.compile("(?<![\\w:.$])([a-zA-Z_:][\\w:]*)\\s*(\\{[^}]*}|\\()?");
  private static final Pattern MATCHER =
      Pattern.compile("([a-zA-Z_]\\w*)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");

  /** A metric, and what its labels are to be. */
  record Selector(String metric, List<LabelMatcher> matchers) {}

  /** One label's values. */
  record LabelMatcher(String label, String operator, String value) {
    /** The values that are named; none where it is a pattern or a variable. */
    List<String> named() {
      return value.matches("[\\w|/-]+") ? Arrays.asList(value.split("\\|")) : List.of();
    }
  }

  static PromQuery of(String text) {
    Set<String> grouping = new TreeSet<>();
    GROUPING
        .matcher(text)
        .results()
        .flatMap(found -> Arrays.stream(found.group(1).split(",")))
        .map(String::strip)
        .filter(label -> !label.isEmpty())
        .forEach(grouping::add);
    String bare = RANGE.matcher(GROUPING.matcher(text).replaceAll(" ")).replaceAll(" ");
    List<Selector> selectors = new ArrayList<>();
    Matcher names = NAME.matcher(bare);
    int from = 0;
    while (names.find(from)) {
      String braces = names.group(2);
      boolean function = "(".equals(braces);
      if (!function && !KEYWORDS.contains(names.group(1))) {
        selectors.add(new Selector(names.group(1), matchers(braces == null ? "" : braces)));
      }
      from = function || braces == null ? names.end(1) : names.end();
    }
    return new PromQuery(List.copyOf(selectors), grouping);
  }

  private static List<LabelMatcher> matchers(String braces) {
    return MATCHER
        .matcher(braces)
        .results()
        .map(found -> new LabelMatcher(found.group(1), found.group(2), found.group(3)))
        .toList();
  }
}
