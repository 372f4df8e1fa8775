package io.probelet.cli.validate;

import io.probelet.document.field.Problem.Severity;
import io.probelet.manifest.Manifests;
import io.probelet.manifest.pod.PodSource;

/**
 * The numbers of a report.
 *
 * @param errors errors
 */
record Counts(long pods, long probes, long errors, long warnings, long advice) {
  static Counts of(Manifests manifests) {
    return new Counts(
        manifests.pods().size(),
        manifests.pods().stream().mapToLong(PodSource::probeCount).sum(),
        count(manifests, Severity.ERROR),
        count(manifests, Severity.WARNING),
        count(manifests, Severity.ADVICE));
  }

  private static long count(Manifests manifests, Severity severity) {
    return manifests.problems().stream().filter(each -> each.severity() == severity).count();
  }
}
