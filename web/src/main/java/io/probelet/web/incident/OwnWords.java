package io.probelet.web.incident;

import io.probelet.health.OneLine;
import io.probelet.web.api.TerminationView;
import io.probelet.web.incident.ProbeFacts.OutcomeFacts;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * What a container itself says about the cause of its trouble, in its log and its probe's answers.
 * A tenant writes these texts, so a cause from them is never certain, and concerns this container
 * alone.
 */
final class OwnWords {
  private static final int MAX_QUOTE = 160;
  private static final List<String> EXPIRED =
      List.of(
          "certificate has expired",
          "cert_has_expired",
          "certificate expired",
          "expired certificate",
          "certificateexpiredexception");
  private static final List<String> UNRESOLVED =
      List.of(
          "no such host",
          "name or service not known",
          "temporary failure in name resolution",
          "enotfound",
          "eai_again",
          "unknownhostexception",
          "could not resolve host",
          "bad address",
          "nodename nor servname",
          "name does not resolve");
  private static final List<String> REFUSED = List.of("connection refused", "econnrefused");

  /** How runtimes name the program that they could not execute. */
  private static final String EXEC = "exec: \"";

  private static final List<String> NOT_FOUND =
      List.of("command not found", "executable file not found", ": not found");

  private OwnWords() {}

  /**
   * A kind of trouble and the line that names it.
   *
   * @param last whether it wrote nothing after that line
   */
  record Complaint(CauseType type, String line, boolean last) {
    /** {@return the line in quotes, on one line} */
    String quoted() {
      return '"' + OneLine.of(line, MAX_QUOTE).replace("\"", "'") + '"';
    }
  }

  /** {@return the newest line that names a known trouble; empty if none does} */
  static Optional<Complaint> of(Incident incident) {
    List<String> lines = new ArrayList<>();
    ProbeFacts probe = incident.probe();
    if (probe != null && probe.handler().equals("exec")) {
      probe.outcomes().stream().map(OutcomeFacts::message).forEach(lines::add);
    }
    lines.addAll(incident.log());
    TerminationView end = incident.end();
    if (end != null) {
      lines.add(end.message());
    }
    lines.removeIf(String::isBlank);
    for (int i = lines.size() - 1; i >= 0; i--) {
      String line = lines.get(i);
      Optional<CauseType> type = type(line);
      if (type.isPresent()) {
        return Optional.of(new Complaint(type.get(), line, i == lines.size() - 1));
      }
    }
    return Optional.empty();
  }

  /**
   * {@return what a runtime says about the program that it could not execute, without the names of
   * the steps that failed around it; empty if something else failed}
   */
  static Optional<String> program(String startError) {
    int at = startError.indexOf(EXEC);
    return at < 0 ? Optional.empty() : Optional.of(startError.substring(at));
  }

  private static Optional<CauseType> type(String text) {
    String line = text.toLowerCase(Locale.ROOT);
    if (any(line, EXPIRED)) {
      return Optional.of(CauseType.TLS_EXPIRED);
    }
    if (any(line, UNRESOLVED)) {
      return Optional.of(CauseType.DNS);
    }
    if (any(line, REFUSED)) {
      return Optional.of(CauseType.DEPENDENCY_REFUSED);
    }
    return any(line, NOT_FOUND) ? Optional.of(CauseType.PROGRAM_MISSING) : Optional.empty();
  }

  private static boolean any(String line, List<String> words) {
    return words.stream().anyMatch(line::contains);
  }
}
