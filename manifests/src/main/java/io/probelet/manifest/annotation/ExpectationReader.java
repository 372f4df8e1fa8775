package io.probelet.manifest.annotation;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.annotation.Totals.Amount;
import io.probelet.manifest.probe.HandlerReader.HeaderReader;
import io.probelet.probe.HttpExpectation;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.HttpExpectation.HeaderRule;
import io.probelet.probe.HttpExpectation.ResponseCondition;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Reads the conditions for a successful HTTP response. */
final class ExpectationReader {
  private static final String STATUS_RULE =
      "must be a status from 100 to 599 or a range like 200-299";
  private static final int MIN_STATUS = 100;
  private static final int MAX_STATUS = 599;

  /** More than any header's name. */
  private static final int LONGEST_NAME = 128;

  private static final Pattern RANGE = Pattern.compile("([1-5][0-9]{2})-([1-5][0-9]{2})");

  /** Shared instances of statuses, because a pod may list hundreds many times. */
  private static final List<Integer> CODES = IntStream.rangeClosed(0, MAX_STATUS).boxed().toList();

  private ExpectationReader() {}

  /** Returns the expectation, null when there is none or it has errors. */
  static @Nullable HttpExpectation read(Field field, Totals totals) {
    Fields expect = field.object();
    if (expect == null) {
      return null;
    }
    int errors = expect.errors();
    Field statuses = expect.field("statuses");
    Field headers = expect.field("headers");
    Field body = expect.field("body");
    Field cel = expect.field("cel");
    if (Stream.of(statuses, headers, body, cel).noneMatch(Field::isPresent)) {
      field.required("must specify statuses, headers, body or cel");
    }
    List<Integer> codes = totals.share(statuses, statuses(statuses));
    List<HeaderRule> headerRules = headers(headers, totals);
    List<BodyRule> rules = BodyRuleReader.read(body, totals);
    ResponseCondition condition = ResponseExpression.read(cel, totals);
    expect.rejectUnknown(Set.of());
    return expect.errors() == errors
        ? new HttpExpectation(codes, headerRules, rules, condition, false)
        : null;
  }

  private static List<HeaderRule> headers(Field field, Totals totals) {
    List<HeaderRule> rules = new ArrayList<>();
    for (Field item : field.items()) {
      Fields header = item.object();
      if (header == null) {
        if (!item.isPresent()) {
          item.required("a header with its name");
        }
        continue;
      }
      Field name = header.field("name");
      String lower = HeaderReader.name(name).toLowerCase(Locale.ROOT);
      if (lower.length() > LONGEST_NAME) {
        name.invalid("must have at most " + LONGEST_NAME + " characters");
      }
      List<BodyRule> ofValue = BodyRuleReader.texts(header, totals);
      if (ofValue.isEmpty()) {
        totals.take(item, Amount.BODY_RULES, 1);
        rules.add(new HeaderRule(lower, null));
      }
      ofValue.forEach(rule -> rules.add(new HeaderRule(lower, rule)));
      header.rejectUnknown(Set.of());
    }
    return rules;
  }

  private static Set<Integer> statuses(Field field) {
    List<Field> items = field.isText() || field.isNumber() ? List.of(field) : field.items();
    Set<Integer> codes = new TreeSet<>();
    for (Field item : items) {
      addTo(codes, item);
    }
    if (field.isPresent() && items.isEmpty() && codes.isEmpty()) {
      field.required("at least one status");
    }
    return codes;
  }

  private static void addTo(Set<Integer> codes, Field item) {
    if (!item.isText()) {
      long status = item.isNumber() ? item.int64(0) : 0;
      if (status < MIN_STATUS || status > MAX_STATUS) {
        item.invalid(STATUS_RULE);
      } else {
        codes.add(CODES.get((int) status));
      }
      return;
    }
    Matcher range = RANGE.matcher(item.text(""));
    if (!range.matches()) {
      item.invalid(STATUS_RULE);
      return;
    }
    int first = Integer.parseInt(range.group(1));
    int last = Integer.parseInt(range.group(2));
    if (first > last) {
      item.invalid("must be an ascending range, such as " + last + "-" + first);
    }
    for (int status = first; status <= last; status++) {
      codes.add(CODES.get(status));
    }
  }
}
