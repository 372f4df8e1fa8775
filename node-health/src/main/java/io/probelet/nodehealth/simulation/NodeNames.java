package io.probelet.nodehealth.simulation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Abbreviates lists of node names: {@code worker-1..30} for thirty of them. */
public final class NodeNames {
  /** The largest number in a range. */
  public static final int LARGEST = 100_000;

  private static final Pattern RANGE = Pattern.compile("(.*?)([0-9]{1,6})\\.\\.([0-9]{1,6})");
  private static final Pattern NUMBERED = Pattern.compile("(.*?)([0-9]{1,6})");

  private NodeNames() {}

  /**
   * Expands a name or a range of names.
   *
   * @param text {@code worker-7} or {@code worker-1..30}
   * @throws IllegalArgumentException if the range is descending or beyond {@value #LARGEST}
   */
  public static List<String> expand(String text) {
    Matcher range = RANGE.matcher(text);
    if (!range.matches()) {
      return List.of(text);
    }
    int first = Integer.parseInt(range.group(2));
    int last = Integer.parseInt(range.group(3));
    if (last < first || last > LARGEST) {
      throw new IllegalArgumentException(
          "\"" + text + "\" is not a range of names; write it like worker-1..30");
    }
    return IntStream.rangeClosed(first, last).mapToObj(n -> range.group(1) + n).toList();
  }

  /**
   * Abbreviates names.
   *
   * @param names any distinct names
   * @return names and ranges, sorted and separated by commas
   */
  public static String compress(Collection<String> names) {
    List<Range> ranges = new ArrayList<>();
    for (Range name : names.stream().map(NodeNames::parse).sorted(Range.ORDER).toList()) {
      if (!ranges.isEmpty() && ranges.getLast().isFollowedBy(name)) {
        ranges.set(ranges.size() - 1, ranges.getLast().to(name));
      } else {
        ranges.add(name);
      }
    }
    return String.join(", ", ranges.stream().map(Range::toString).toList());
  }

  private static Range parse(String name) {
    Matcher numbered = NUMBERED.matcher(name);
    boolean countable = numbered.matches() && !isPadded(numbered.group(2));
    if (!countable) {
      return new Range(name, -1, -1);
    }
    int number = Integer.parseInt(numbered.group(2));
    return new Range(numbered.group(1), number, number);
  }

  private static boolean isPadded(String digits) {
    return digits.length() > 1 && digits.startsWith("0");
  }

  private record Range(String prefix, int first, int last) {
    static final Comparator<Range> ORDER =
        Comparator.comparing(Range::prefix).thenComparingInt(Range::first);

    boolean isFollowedBy(Range next) {
      return first >= 0 && prefix.equals(next.prefix) && last + 1 == next.first;
    }

    Range to(Range end) {
      return new Range(prefix, first, end.last);
    }

    @Override
    public String toString() {
      if (first < 0) {
        return prefix;
      }
      return first == last ? prefix + first : prefix + first + ".." + last;
    }
  }
}
