package io.probelet.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.probelet.document.field.Problem;
import io.probelet.fleet.terminal.Progress;
import io.probelet.health.FailureReason;
import io.probelet.health.SystemClock;
import io.probelet.nodehealth.rehearsal.Candidate;
import io.probelet.nodehealth.rehearsal.Comparison;
import io.probelet.nodehealth.rehearsal.TapeRehearsal;
import io.probelet.nodehealth.tape.TapeException;
import io.probelet.nodehealth.tape.TapeReader;
import io.probelet.rehearsal.simulate.ComparisonJson;
import io.probelet.rehearsal.simulate.ComparisonTable;
import io.probelet.rehearsal.simulate.SimulationInput;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** {@code probelet simulate --tape}: plays a tape for candidates and prints the comparison. */
final class TapeSimulation {
  private static final int OK = 0;
  private static final int BAD_INPUT = 2;

  private final PrintWriter out;
  private final PrintWriter err;

  /**
   * Creates one.
   *
   * @param err for problems in the files
   */
  TapeSimulation(PrintWriter out, PrintWriter err) {
    this.out = out;
    this.err = err;
  }

  /**
   * Plays a tape.
   *
   * @param checks the candidates, one for each file
   * @param templates files with templates; if there are none, every template is taken to exist
   * @param policies files with RemediationPolicies, which limit all candidates
   * @param heals how long a remediation is taken to need until its node is healthy
   * @param json whether to print JSON
   * @throws JsonProcessingException never in practice
   * @throws InterruptedException if the caller is interrupted
   */
  int run(
      Path file,
      List<Path> checks,
      List<Path> templates,
      List<Path> policies,
      Duration heals,
      boolean json)
      throws JsonProcessingException, InterruptedException {
    List<Candidate> candidates = new ArrayList<>();
    boolean bad = false;
    for (Path check : checks) {
      SimulationInput input = SimulationInput.readCandidate(check, templates, policies);
      input.problems().forEach(err::println);
      bad |= input.hasErrors();
      candidates.add(
          new Candidate(
              String.valueOf(check.getFileName()),
              input.checks(),
              input.templates(),
              input.policies(),
              input.maintenances()));
    }
    err.flush();
    if (bad) {
      return BAD_INPUT;
    }
    Comparison comparison;
    try (TapeReader tape = TapeReader.open(file);
        Progress progress = Progress.standardError(err, System.getenv(), SystemClock.INSTANCE)) {
      long size = Files.size(file);
      comparison =
          TapeRehearsal.play(
              tape,
              candidates,
              heals,
              () -> progress.show(() -> progressed(tape.lines(), tape.bytes(), size)));
    } catch (IOException e) {
      err.println(file + ": cannot be read: " + FailureReason.of(e));
      err.flush();
      return BAD_INPUT;
    } catch (TapeException e) {
      for (Problem problem : e.problems()) {
        err.println(problem);
      }
      err.flush();
      return BAD_INPUT;
    }
    comparison.remarks().forEach(remark -> err.println(file + ": warning: " + remark));
    if (!comparison.complete()) {
      err.println(file + ": warning: has no line that ends it; it was played until its last line");
    }
    if (comparison.columns().isEmpty()) {
      err.println(
          file + ": has neither NodeHealthChecks nor remediations; compare some with --nhc");
      err.flush();
      return BAD_INPUT;
    }
    err.flush();
    if (json) {
      out.println(
          new ObjectMapper()
              .writerWithDefaultPrettyPrinter()
              .writeValueAsString(ComparisonJson.print(comparison)));
    } else {
      out.print(ComparisonTable.print(comparison));
    }
    out.flush();
    return OK;
  }

  /** {@return how much of a tape of that size, in bytes, was played} */
  static String progressed(long lines, long bytes, long size) {
    return "probelet simulate: %d %% played, %d lines"
        .formatted(Math.min(100, 100 * bytes / Math.max(1, size)), lines);
  }
}
