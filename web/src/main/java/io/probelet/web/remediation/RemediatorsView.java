package io.probelet.web.remediation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.probelet.remediator.controller.RemediatorReport;
import io.probelet.remediator.controller.RemediatorReport.KindState;
import io.probelet.remediator.controller.RemediatorReport.Standing;
import io.probelet.remediator.resource.RemediationPhase;
import io.probelet.web.api.JsonDefaults;
import io.probelet.web.api.ViewJson;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The answer of {@code /api/v1/remediators}.
 *
 * @param leading whether this replica is the leader; only then is there more
 * @param leader the leader's identity; null if nobody leads
 * @param kinds one entry for each kind that is switched on
 * @param remediations one entry for each remediation of these kinds
 */
@JsonInclude(Include.NON_NULL)
public record RemediatorsView(
    boolean leading,
    @Nullable String leader,
    List<KindView> kinds,
    List<StandingView> remediations) {
  /** Where it is answered. */
  public static final String PATH = "/api/v1/remediators";

  /** Where no kind is switched on. */
  public static final RemediatorsView NONE = new RemediatorsView(true, null, List.of(), List.of());

  /** Takes what another agent leaves out for empty. */
  public RemediatorsView {
    kinds = JsonDefaults.list(kinds);
    remediations = JsonDefaults.list(remediations);
  }

  /**
   * A kind that is switched on.
   *
   * @param problem why it is not carried out; absent if it is
   */
  @JsonInclude(Include.NON_NULL)
  public record KindView(String kind, @Nullable String problem) {
    /** Takes what another agent leaves out for empty. */
    public KindView {
      kind = JsonDefaults.text(kind);
    }
  }

  /**
   * A remediation.
   *
   * @param since when it reached that; absent if it was not begun
   */
  @JsonInclude(Include.NON_NULL)
  public record StandingView(
      String kind,
      String namespace,
      String name,
      String node,
      String phase,
      @Nullable String since,
      String message) {
    /** Takes what another agent leaves out for empty. */
    public StandingView {
      kind = JsonDefaults.text(kind);
      namespace = JsonDefaults.text(namespace);
      name = JsonDefaults.text(name);
      node = JsonDefaults.text(node);
      phase = JsonDefaults.text(phase);
      message = JsonDefaults.text(message);
    }
  }

  /**
   * {@return the answer of one who may be the leader}
   *
   * @param report what is carried out; empty for who does not lead
   * @param leader the leader's identity; null if nobody leads
   */
  public static RemediatorsView of(Optional<RemediatorReport> report, @Nullable String leader) {
    return new RemediatorsView(
        report.isPresent(),
        leader,
        report.map(RemediatorReport::kinds).orElse(List.of()).stream()
            .map(RemediatorsView::kind)
            .toList(),
        report.map(RemediatorReport::requests).orElse(List.of()).stream()
            .map(RemediatorsView::standing)
            .toList());
  }

  private static KindView kind(KindState state) {
    return new KindView(state.kind().kind(), state.problem().isEmpty() ? null : state.problem());
  }

  private static StandingView standing(Standing standing) {
    return new StandingView(
        standing.kind().kind(),
        standing.namespace(),
        standing.name(),
        standing.node(),
        standing.phase().label(),
        standing.since() == null ? null : standing.since().toString(),
        standing.message());
  }

  /**
   * Reads an answer.
   *
   * @throws IOException if it is none
   */
  public static RemediatorsView parse(byte[] json) throws IOException {
    return ViewJson.read(json, RemediatorsView.class);
  }

  /** {@return it as JSON} */
  public String json() {
    return ViewJson.write(this);
  }

  /** {@return whether nothing waits or has failed, as far as this replica knows} */
  public boolean isFine() {
    return kinds.stream().allMatch(kind -> kind.problem() == null)
        && remediations.stream()
            .map(StandingView::phase)
            .noneMatch(phase ->
                phase.equals(RemediationPhase.HELD.label())
                    || phase.equals(RemediationPhase.FAILED.label()));
  }
}
