package io.probelet.cli.status;

import io.probelet.web.remediation.RemediationView;
import io.probelet.web.remediation.RemediationView.CheckView;
import io.probelet.web.remediation.RemediatorsView;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** What {@code probelet status --remediation} prints. */
public final class RemediationStatus {
  private final RemediationView view;
  private final RemediatorsView remediators;

  private RemediationStatus(RemediationView view, RemediatorsView remediators) {
    this.view = view;
    this.remediators = remediators;
  }

  /**
   * Reads an agent's answer.
   *
   * @throws IOException if the answer is invalid
   */
  public static RemediationStatus read(byte[] json, RemediatorsView remediators)
      throws IOException {
    return new RemediationStatus(RemediationView.parse(json), remediators);
  }

  /** {@return whether this agent leads and no node is held back} */
  public boolean isFine() {
    return view.leading()
        && remediators.isFine()
        && view.nodeHealthChecks().stream()
            .map(CheckView::unhealthyNodes)
            .flatMap(nodes -> nodes.stream())
            .noneMatch(node -> node.heldBack() != null);
  }

  /**
   * {@return it as tables}
   *
   * @param columns the window's width
   */
  public List<String> lines(int columns) {
    List<String> lines = new ArrayList<>(RemediationTable.lines(view, columns));
    List<String> more = RemediationTable.lines(remediators, columns);
    if (!more.isEmpty()) {
      lines.add("");
      lines.addAll(more);
    }
    return lines;
  }

  /** Prints it as JSON, with the remediators' part in a field of its own. */
  public void printJson(PrintWriter out) {
    String json = view.json();
    boolean none = remediators.kinds().isEmpty() && remediators.leading();
    out.println(
        none
            ? json
            : json.substring(0, json.length() - 1)
                + ",\"remediators\":"
                + remediators.json()
                + "}");
    out.flush();
  }
}
