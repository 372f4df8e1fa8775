package io.probelet.web.http;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.function.Supplier;

/**
 * Says whether the agent itself is well: 200 {@code ok} when every check passes, 503 and one line
 * per check when one does not, in the words Kubernetes' own components use. {@code ?verbose} shows
 * the lines in either case.
 */
public final class HealthResource implements Resource {
  private final Map<String, Check> checks;

  /** One thing that must hold. */
  @FunctionalInterface
  public interface Check {
    /**
     * Checks.
     *
     * @return what is wrong; empty when it holds
     * @throws Exception if it cannot be checked, which counts as a failure
     */
    Optional<String> problem() throws Exception;

    /** {@return what an operator should know though it holds; empty for nothing} */
    default String note() {
      return "";
    }
  }

  /**
   * {@return a check that has something to say even where nothing is wrong}
   *
   * @param note what an operator should know though it holds; empty for nothing
   */
  public static Check of(Check problem, Supplier<String> note) {
    return new Check() {
      @Override
      public Optional<String> problem() throws Exception {
        return problem.problem();
      }

      @Override
      public String note() {
        return note.get();
      }
    };
  }

  /**
   * Creates the resource.
   *
   * @param checks by name, in the order in which they are shown
   */
  public HealthResource(SequencedMap<String, Check> checks) {
    this.checks = Collections.unmodifiableMap(new LinkedHashMap<>(checks));
  }

  @Override
  public Answer get(Map<String, List<String>> query) {
    StringBuilder lines = new StringBuilder();
    boolean well = true;
    for (Map.Entry<String, Check> check : checks.entrySet()) {
      Optional<String> problem = problem(check.getValue());
      well &= problem.isEmpty();
      lines.append(problem.isEmpty() ? "[+]" : "[-]").append(check.getKey());
      lines
          .append(problem.map(what -> " failed: " + what).orElseGet(() -> ok(check.getValue())))
          .append('\n');
    }
    if (well && !query.containsKey("verbose")) {
      return Answer.of(200, TEXT, "ok\n");
    }
    return Answer.of(
        well ? 200 : 503,
        TEXT,
        lines.append(well ? "check passed\n" : "check failed\n").toString());
  }

  private static String ok(Check check) {
    String note = check.note();
    return note.isEmpty() ? " ok" : " ok, " + note;
  }

  private static Optional<String> problem(Check check) {
    try {
      return check.problem();
    } catch (Exception unknown) {
      return Optional.of(unknown.toString());
    }
  }
}
