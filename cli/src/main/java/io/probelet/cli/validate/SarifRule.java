package io.probelet.cli.validate;

import io.probelet.document.field.Complaint;
import io.probelet.fleet.advise.AdviceRule;
import io.probelet.manifest.advice.Advice;
import io.probelet.manifest.advice.SpecAdvice;
import io.probelet.monitor.log.MonitorAdvice;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A rule as SARIF lists it. */
record SarifRule(String id, String description) {
  /** {@return all rules} */
  static List<SarifRule> all() {
    List<SarifRule> all = new ArrayList<>();
    Arrays.stream(Complaint.values())
        .forEach(each -> all.add(new SarifRule(each.id(), each.description())));
    Arrays.stream(Advice.values())
        .forEach(each -> all.add(new SarifRule(each.id(), sentence(each.why()))));
    Arrays.stream(SpecAdvice.values())
        .forEach(each -> all.add(new SarifRule(each.id(), sentence(each.why()))));
    Arrays.stream(AdviceRule.values())
        .forEach(each -> all.add(new SarifRule(each.id(), each.description())));
    all.add(new SarifRule(MonitorAdvice.ID, sentence(MonitorAdvice.WHY)));
    return all;
  }

  private static String sentence(String text) {
    return Character.toUpperCase(text.charAt(0)) + text.substring(1) + ".";
  }
}
