package io.probelet.manifest.annotation;

import io.probelet.document.field.Field;
import io.probelet.document.field.Fields;
import io.probelet.manifest.annotation.Totals.Amount;
import io.probelet.probe.HttpExpectation.BodyRule;
import io.probelet.probe.ProbeHandler.TcpSocket.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Reads the dialog of a TCP probe, with the field names of blackbox_exporter (P-29). */
final class DialogReader {
  /** Each may wait for the server. */
  private static final int MAX_ITEMS = 16;

  private static final int LONGEST_TEXT = 1_024;

  private DialogReader() {}

  static List<Step> read(Field list, Totals totals) {
    List<Field> items = list.items();
    if (items.size() > MAX_ITEMS) {
      list.invalid("must have at most " + MAX_ITEMS + " items");
      return List.of();
    }
    List<Step> steps = new ArrayList<>();
    for (Field item : items) {
      Fields fields = item.object();
      if (fields == null) {
        if (!item.isPresent()) {
          item.required("expect, expectBytes, send or starttls");
        }
        continue;
      }
      int errors = item.errors();
      int before = steps.size();
      add(steps, fields, totals);
      fields.rejectUnknown(Set.of());
      if (steps.size() == before && item.errors() == errors) {
        item.required("must specify expect, expectBytes, send or starttls");
      }
    }
    return steps;
  }

  /** In the order in which blackbox_exporter takes the parts of an item. */
  private static void add(List<Step> steps, Fields item, Totals totals) {
    Field expect = item.field("expect");
    if (expect.isPresent()) {
      totals.take(expect, Amount.BODY_RULES, 1);
      totals.take(expect, Amount.PATTERNS, 1);
      BodyRuleReader.matches(expect, totals).map(Step.Expect::new).ifPresent(steps::add);
    }
    Field literal = item.field("expectBytes");
    if (literal.isPresent()) {
      totals.take(literal, Amount.BODY_RULES, 1);
      String text = text(literal);
      if (!text.isEmpty()) {
        steps.add(new Step.Expect(new BodyRule.Contains(text)));
      }
    }
    Field send = item.field("send");
    if (send.isPresent()) {
      String text = text(send);
      steps.add(new Step.Send(text.endsWith("\n") ? text : text + "\n"));
    }
    Field starttls = item.field("starttls");
    if (starttls.bool(false)) {
      if (steps.contains(Step.STARTTLS)) {
        starttls.forbidden("TLS can begin only once");
      }
      steps.add(Step.STARTTLS);
    }
  }

  private static String text(Field field) {
    String text = field.text("");
    if (text.isEmpty()) {
      field.required("a text");
    } else if (text.length() > LONGEST_TEXT) {
      field.invalid("must have at most " + LONGEST_TEXT + " characters");
    }
    return text;
  }
}
